import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'

describe('a word that is nearly one of a few', () => {
  test.each([
    ['room list -o jsn', 'output must be one of table, json', 'did you mean json?'],
    ['config set tokenStore fil -p default', 'tokenStore must be one of file, keyring', 'did you mean file?'],
    ['config set readOnly tru -p default', 'readOnly must be true or false', 'did you mean true?'],
    ['completion fihs', 'SHELL takes bash, zsh, fish or powershell', 'did you mean fish?'],
  ])('%s is answered with it, and nothing is done', async (line, message, advice) => {
    const ran = await cli(line)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).toContain(`try: ${advice}`)
  })

  test('suggests the profile that was most likely meant, and does not use it', async () => {
    const home = freshHome()
    mkdirSync(path.join(home, '.config/roomctl'), {recursive: true, mode: 0o700})
    const file = {version: 1, profiles: {staging: {'room.url': 'https://rooms.example.com'}}}
    writeFileSync(path.join(home, '.config/roomctl/config.json'), JSON.stringify(file), {mode: 0o600})
    const ran = await cli('room list -p stagin', {home})
    expect(ran).toMatchObject({exit: 3, stdout: '', sent: []})
    expect(ran.stderr).toBe('error: unknown profile stagin\n  try: use -p staging\n')
    expect((await cli('room list -p sandbx', {home})).stderr).toContain('try: use -p sandbox')
  })
})
