import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {expectNoToken} from './noToken.js'
import {freshPlace, shell} from './place.js'
import {sendJson, serve, success, summary, token} from './service.js'

// A real keyring: gnome-keyring on a session bus of its own, both from Debian's packages (.ci/run installs them).

/** Runs lines of shell with an unlocked keyring. The daemon makes its keyring below HOME and ends with the bus. */
async function withKeyring(lines: readonly string[]) {
  const service = await serve((_path, response) => sendJson(response, success([summary('r-1')])))
  const place = freshPlace({ROOMCTL_ROOM_URL: service.url, XDG_RUNTIME_DIR: ''})
  const unlock = 'printf unlocked | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1'
  writeFileSync(path.join(place.dir, 'steps'), ['set -e', unlock, ...lines].join('\n'))
  const ran = await shell(place, 'dbus-run-session -- sh steps 2> errors', {stdin: ''})
  return {ran, service, place, errors: readFileSync(path.join(place.dir, 'errors'), 'utf8')}
}

test('a token in the keyring is stored, used and forgotten, and is in no file of ours', async () => {
  const {ran, service, place, errors} = await withKeyring([
    'roomctl config set tokenStore keyring',
    `printf ${token} | roomctl config login room`,
    'roomctl room list -q',
    'cat config/config.json config/config.backup.json > kept',
    'roomctl config logout',
    'roomctl room list -q || echo "exit $?"',
  ])
  expect(ran, errors).toMatchObject({exit: 0})
  expect(ran.stdout.split('\n')).toEqual([
    'set tokenStore in profile default',
    `stored the room token of profile default for ${service.url} (keyring)`,
    'r-1',
    'removed the room token in profile default',
    'exit 3',
    '',
  ])
  expect(errors).toContain('no token is stored for the room service')
  // The check of the token, and the list.
  expect(service.asked.map(({headers}) => headers.authorization)).toEqual([`Bearer ${token}`, `Bearer ${token}`])
  expectNoToken({...ran, stderr: errors})
  expect(readFileSync(path.join(place.dir, 'kept'), 'utf8')).not.toContain(token)
})
