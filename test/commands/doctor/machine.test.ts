import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {doctor, foundIn, healthy} from './healthy.js'

test('a damaged profile is reported and not repaired, and the environment is enough to go on', async () => {
  const {home, origin, arrived, cli: run} = await healthy()
  const folder = join(home, '.config/roomctl')
  const file = join(folder, 'config.json')
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -3))
  const before = readFileSync(file, 'utf8')
  const env = {ROOMCTL_ROOM_URL: `${origin}/rooms`, ROOMCTL_ROOM_TOKEN: 'sandbox-application-token'}
  const {exit, found} = await doctor({cli: run}, '', {env})
  expect(exit).toBe(15)
  expect(found).toMatchObject([
    {check: 'profile', state: 'fail', what: expect.stringContaining('truncated at line 1')},
    {check: 'room answer', state: 'fail'},
  ])
  expect(arrived).toEqual(['GET /rooms/v1/rooms'])
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(readdirSync(folder)).toEqual(['config.json'])
})

test('a profile file that others can read or change is reported, like its copies, and no mode is changed', () =>
  everyCase(
    [
      ['config.json', 0o640, 'read'],
      ['config.json', 0o622, 'change'],
      ['config.backup.json', 0o604, 'read'],
      ['config.damaged-20261201T000000Z.json', 0o606, 'change'],
    ],
    async (name, mode, can) => {
      const machine = await healthy()
      const folder = join(machine.home, '.config/roomctl')
      const file = join(folder, name)
      writeFileSync(file, readFileSync(join(folder, 'config.json')))
      chmodSync(file, mode)
      expect((await doctor(machine)).found).toMatchObject([
        {
          check: 'profile',
          state: 'warn',
          what: expect.stringContaining(`other users of this machine can ${can} ${file} (mode 0${mode.toString(8)})`),
          fix: expect.stringMatching(/^chmod 600 \S+; .*roomctl config login -p live$/u),
        },
      ])
      expect(statSync(file).mode & 0o777).toBe(mode)
    },
  ))

test('a profile file that no command would use fails here, too', () =>
  everyCase(
    [
      ['it is not a file', (config: string) => mkdirSync(join(config, 'config.json'))],
      ['it is a symbolic link', (config: string) => symlinkSync('/dev/null', join(config, 'config.json'))],
      ['it is a folder shared by all users', (config: string) => chmodSync(config, 0o1777)],
    ],
    async (why, make) => {
      const home = freshHome()
      const config = join(home, '.config/roomctl')
      mkdirSync(config, {recursive: true})
      make(config)
      const {found} = foundIn(await cli('doctor -o json -p sandbox', {home}))
      expect(found[0]).toMatchObject({check: 'profile', state: 'fail', what: expect.stringContaining(why)})
    },
  ))

test('a wrong setting in the profile is named with what puts it right', async () => {
  const {found, exit} = await doctor(await healthy({concurrency: 900}))
  expect(exit).toBe(15)
  expect(found).toMatchObject([
    {
      check: 'settings',
      state: 'fail',
      what: 'concurrency in the profile live must be a whole number from 1 to 64',
      fix: expect.stringContaining('roomctl config unset -p live concurrency'),
    },
    {check: 'services'},
  ])
})

test('the commands of a fix name the profile that was named', async () => {
  const {home, ...machine} = await healthy({credentials: {}, 'asset.url': undefined})
  expect((await doctor(machine)).found).toMatchObject([{fix: 'roomctl config login -p live room'}])
  const ran = await cli('doctor -o json', {home, env: {ROOMCTL_PROFILE: 'live'}})
  expect(foundIn(ran).found).toMatchObject([{fix: 'roomctl config login room'}])
})

test('records that push rotate of 0.3.0 left are named once', async () => {
  const home = freshHome()
  const folder = join(home, 'state/rotations')
  mkdirSync(folder, {recursive: true})
  for (const name of ['a.json', 'b.json']) writeFileSync(join(folder, name), '{}')
  const env = {ROOMCTL_STATE_DIR: join(home, 'state')}
  const {all, found} = foundIn(await cli('doctor -o json', {home, env}))
  expect(found).toEqual([])
  expect(all.filter(({what}) => what.includes('rotat'))).toMatchObject([
    {
      check: 'leftovers',
      what: `${folder} has 2 records of push rotate, which 0.4.0 removed; push show says what is registered`,
      fix: `rm -r ${folder}`,
    },
  ])
})
