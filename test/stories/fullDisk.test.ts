import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {freshPlace, type Place, type Ran, shell} from './place.js'
import {token} from './service.js'

describe('a full disk', () => {
  /** Runs a script in a place where a folder is a disk of its own with sixteen blocks; it is gone with the script. */
  function onSmallDisk(place: Place, folder: string, script: string): Promise<Ran> {
    const mount = `mount -t tmpfs -o size=64k,mode=700 tmpfs ${folder}`
    // A user and mounts of its own: no right is needed for that, and nobody else sees it.
    return shell(place, 'mkdir -p "$FOLDER" && exec unshare --map-root-user --mount bash -c "$SCRIPT"', {
      env: {FOLDER: folder, SCRIPT: `${mount} || exit 99\n${script}`},
    })
  }

  /** More than two blocks, so that one is not enough to write it anew. */
  const largeProfileFile = JSON.stringify({
    version: 1,
    profiles: Object.fromEntries(
      Array.from({length: 100}, (_, at) => [
        `team-${at}`,
        {'room.url': `https://team-${at}.example.com/media/service`},
      ]),
    ),
  })

  const fill = 'cat /dev/zero > $FOLDER/filling 2> /dev/null'

  test.each([
    ['without a free block', fill],
    // A write is then taken in part, which conf takes for the whole.
    ['with one free block', `${fill}; truncate -s -4096 $FOLDER/filling`],
  ])('%s loses nothing that was there, and the next change works', async (_how, filling) => {
    const place = freshPlace({TOKEN: token})
    writeFileSync(path.join(place.dir, 'large.json'), largeProfileFile)
    const ran = await onSmallDisk(
      place,
      'config',
      `cp large.json config/config.json
       roomctl config set room.url https://rooms.example.com >&2; printf %s "$TOKEN" | roomctl config login room >&2
       cp config/config.json before.json
       ${filling}
       roomctl config set applicationId app-7 2> refusal; echo "set $?"
       cmp config/config.json before.json && echo "as before"
       roomctl config get room.url
       rm config/filling; roomctl config set applicationId app-7; roomctl config get applicationId
       grep -c "$TOKEN" config/config.json`,
    )
    expect(ran).toMatchObject({
      exit: 0,
      stdout: `set 3\nas before\nhttps://rooms.example.com\nset applicationId in profile default\napp-7\n1\n`,
    })
    const refusal = readFileSync(path.join(place.dir, 'refusal'), 'utf8')
    expect(refusal).toMatch(
      /^error: cannot write the profile file .*: the disk is full.*\n {2}why: nothing was changed/,
    )
    expect(refusal).not.toContain(token)
  })

  test('under the sandbox loses no room, and says that it cannot keep the new one', async () => {
    const ran = await onSmallDisk(
      freshPlace({ROOMCTL_PROFILE: 'sandbox'}),
      'data',
      `roomctl sandbox reset --seed demo >&2
       ${fill}
       roomctl room create Another --created-by ann 2> refusal; echo "create $?"
       roomctl room list -q | wc -l
       rm data/filling; roomctl room create Another --created-by ann > /dev/null && roomctl room list -q | wc -l
       cat refusal`,
    )
    expect(ran.stdout).toMatch(/^create 3\n13\n14\nerror: cannot keep the sandbox's state in .*(?:\n {2}.*)*\n$/)
  })

  test('under the journal does not undo a change, and is said', async () => {
    const ran = await onSmallDisk(
      freshPlace({ROOMCTL_PROFILE: 'sandbox'}),
      'state',
      `roomctl sandbox reset --seed demo > /dev/null
       ${fill}
       roomctl room end r-full --yes; echo "end $?"`,
    )
    expect(ran.stdout).toBe('ended room r-full as dora (host)\nend 0\n')
    expect(ran.stderr).toMatch(/^warning: the change is not in the journal: /)
  })

  test('under the cache is not even noticed', async () => {
    const ran = await onSmallDisk(
      freshPlace({ROOMCTL_PROFILE: 'sandbox'}),
      'cache',
      `${fill}; roomctl room list; roomctl --version > /dev/null; echo $?`,
    )
    expect(ran).toMatchObject({stdout: '0\n', stderr: '', exit: 0})
  })

  test('cuts no result short without a word', async () => {
    const ran = await onSmallDisk(
      freshPlace({ROOMCTL_PROFILE: 'sandbox'}),
      'disk',
      `roomctl sandbox reset --seed demo > /dev/null
       cat /dev/zero > disk/filling 2> /dev/null; truncate -s -4096 disk/filling
       roomctl room list -o json > disk/list; echo "list $?"
       roomctl room list -o json | head -c 4096 | cmp - disk/list && echo "cut after a block"`,
    )
    expect(ran.stdout).toBe('list 14\ncut after a block\n')
    expect(ran.stderr).toContain('cannot write to stdout: the disk is full')
  })
})
