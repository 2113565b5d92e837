import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {inspectProfile} from '../../../../src/features/doctor/files.js'
import {everyCase} from '../../../support/everyCase.js'
import {freshFolder} from '../../../support/folder.js'

const secret = 'tok-canary-7731'
const whole = JSON.stringify({
  version: 1,
  profiles: {prod: {credentials: {room: {store: 'file', origin: 'https://rooms.example.com', token: secret}}}},
})

function withProfile(text: string, backup?: string) {
  const config = freshFolder()
  chmodSync(config, 0o700)
  const file = path.join(config, 'config.json')
  writeFileSync(file, text, {mode: 0o600})
  if (backup !== undefined) writeFileSync(path.join(config, 'config.backup.json'), backup, {mode: 0o600})
  return {config, file}
}

describe('the profile file', () => {
  const found = (config: string) => inspectProfile(config).found

  test('may not be there, which is only a hint', () => {
    const config = path.join(freshFolder(), 'deeper')
    expect(found(config)).toMatchObject([{state: 'ok', fix: 'roomctl config init'}])
    expect(existsSync(config)).toBe(false)
  })

  test('is whole', () => {
    const {config} = withProfile(whole)
    expect(found(config)).toMatchObject([{state: 'ok', fix: null, details: {version: 1, profiles: ['prod']}}])
    expect(Object.keys(inspectProfile(config).file.profiles)).toEqual(['prod'])
    expect(JSON.stringify(found(config))).not.toContain(secret)
  })

  test('that others can read or change is reported, like its copies, and no mode is changed', () =>
    everyCase(
      [
        ['config.json', 0o644, 'read'],
        ['config.json', 0o640, 'read'],
        ['config.json', 0o622, 'change'],
        ['config.backup.json', 0o604, 'read'],
        ['config.damaged-20261201T000000Z.json', 0o606, 'change'],
      ],
      (name, mode, can) => {
        const {config} = withProfile(whole)
        const file = path.join(config, name)
        writeFileSync(file, whole)
        chmodSync(file, mode)
        expect(found(config)).toMatchObject([
          {state: 'ok'},
          {
            state: 'warn',
            what: expect.stringContaining(`other users of this machine can ${can} ${file} (mode 0${mode.toString(8)})`),
            fix: expect.stringMatching(/^chmod 600 \S+; .*roomctl config login$/u),
          },
        ])
        expect(statSync(file).mode & 0o777).toBe(mode)
      },
    ))

  test('is damaged, which is reported and not repaired', () => {
    const text = whole.slice(0, -9)
    const {config, file} = withProfile(text, whole)
    expect(found(config)).toMatchObject([
      {
        state: 'fail',
        what: expect.stringContaining('truncated at line 1'),
        fix: expect.stringContaining('or restore the copy of '),
        details: {path: file, backup_of: expect.stringMatching(/^\d{4}-/u)},
      },
    ])
    expect(JSON.stringify(found(config))).not.toContain(secret)
    expect(inspectProfile(config).file.profiles).toEqual({})
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(config).sort()).toEqual(['config.backup.json', 'config.json'])
  })

  test('that no command would use fails here, too', () =>
    everyCase(
      [
        ['it is not a file', (config: string) => mkdirSync(path.join(config, 'config.json'))],
        ['it is a symbolic link', (config: string) => symlinkSync('/dev/null', path.join(config, 'config.json'))],
        ['it is a folder shared by all users', (config: string) => chmodSync(config, 0o1777)],
      ],
      (why, make) => {
        const config = freshFolder()
        make(config)
        expect(found(config)[0]).toMatchObject({state: 'fail', what: expect.stringContaining(why)})
      },
    ))
})
