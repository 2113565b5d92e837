import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {emptyHome} from './home.js'

test('prints where the profile file is, and makes nothing', async () => {
  const {folder, ...home} = emptyHome()
  const ran = await home.cli('config path')
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: `${folder}/.config/roomctl/config.json\n`})
  expect(existsSync(join(folder, '.config'))).toBe(false)
})

test('tells programs the other places, which are where things really are', async () => {
  const {folder} = emptyHome()
  const places = JSON.parse((await cli('config path -o json', {home: folder})).stdout)
  expect(places).toEqual({
    profile: `${folder}/.config/roomctl/config.json`,
    journal: `${folder}/.local/state/roomctl/journal.ndjson`,
    sandbox: `${folder}/.local/share/roomctl/sandbox`,
    cache: `${folder}/.cache/roomctl`,
  })
  await cli('room end r-standup --yes', {home: folder})
  await cli('sandbox seed', {home: folder})
  expect(existsSync(places.journal)).toBe(true)
  expect(existsSync(places.sandbox)).toBe(true)
})

test('follows the environment', async () => {
  const env = {
    ROOMCTL_CONFIG_DIR: '/one',
    ROOMCTL_STATE_DIR: '/two',
    ROOMCTL_CACHE_DIR: '/three',
    XDG_DATA_HOME: '/four',
  }
  const ran = await emptyHome().cli('config path -o json', {env})
  expect(JSON.parse(ran.stdout)).toEqual({
    profile: '/one/config.json',
    journal: '/two/journal.ndjson',
    sandbox: '/four/roomctl/sandbox',
    cache: '/three',
  })
})
