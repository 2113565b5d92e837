import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {checkKeptFiles, inspectProfile} from '../../../../src/features/doctor/files.js'
import {type Folders, folders} from './places.js'

const me = process.geteuid?.() ?? 0

function withFiles(): Folders & {readonly profile: string; readonly journal: string} {
  const all = folders()
  const [profile, journal] = [path.join(all.config, 'config.json'), path.join(all.state, 'journal.ndjson')]
  for (const file of [profile, journal]) writeFileSync(file, '{}\n', {mode: 0o600})
  return {...all, profile, journal}
}

describe('what roomctl keeps', () => {
  test('is well where this user alone can read it', () => {
    const all = withFiles()
    expect(checkKeptFiles(all, me)).toMatchObject([{check: 'files', state: 'ok', details: {paths: expect.any(Array)}}])
  })

  test('may not be there at all', () => {
    const {root} = folders()
    const nowhere = path.join(root, 'none')
    expect(checkKeptFiles({config: nowhere, state: nowhere}, me)).toMatchObject([
      {state: 'ok', what: 'no local files yet'},
    ])
  })

  test.each([
    [0o644, 'read'],
    [0o640, 'read'],
    [0o622, 'change'],
  ])('with a profile of mode %o can be seen by others: they can %s it, and nothing is tightened', (mode, can) => {
    const all = withFiles()
    chmodSync(all.profile, mode)
    const [found, ...others] = checkKeptFiles(all, me)
    expect(others).toEqual([])
    expect(found).toMatchObject({state: 'warn', details: {mode: `0${mode.toString(8)}`}})
    expect(found?.what).toContain(`other users of this machine can ${can} ${all.profile}`)
    expect(found?.fix).toContain(`chmod 600 ${all.profile}`)
    expect(found?.fix).toContain('roomctl config login')
    expect(statSync(all.profile).mode & 0o777).toBe(mode)
  })

  test('in folders that others can look into is reported for each', () => {
    const all = withFiles()
    chmodSync(all.config, 0o755)
    chmodSync(all.state, 0o775)
    expect(checkKeptFiles(all, me).map(({state, fix}) => [state, fix])).toEqual([
      ['warn', `chmod 700 ${all.config}`],
      ['warn', `chmod 700 ${all.state}`],
    ])
  })

  test('in a folder that all users share cannot be kept', () => {
    const all = withFiles()
    chmodSync(all.config, 0o1777)
    expect(checkKeptFiles(all, me)).toMatchObject([
      {state: 'fail', what: expect.stringContaining('shared by all users')},
    ])
  })

  test('that belongs to another user is refused', () => {
    const all = withFiles()
    const found = checkKeptFiles(all, me + 1)
    expect(found.map(({state}) => state)).toEqual(['fail', 'fail', 'fail', 'fail'])
    expect(found[0]?.what).toContain(`belongs to another user (uid ${me}, you are ${me + 1})`)
    expect(found[0]?.fix).toBe(`sudo chown ${me + 1} ${all.config}`)
  })

  test('behind a symbolic link is a finding', () => {
    const all = withFiles()
    for (const file of [all.profile, all.journal]) {
      renameSync(file, `${file}.real`)
      symlinkSync(`${file}.real`, file)
    }
    const found = checkKeptFiles(all, me)
    expect(found.map(({state, what}) => [state, what])).toEqual([
      ['fail', `${all.profile} is a symbolic link`],
      ['fail', `${all.journal} is a symbolic link`],
    ])
    const {profile} = all
    expect(found[0]?.fix).toBe(
      `put the file itself there: cp ${profile} ${profile}.new && mv ${profile}.new ${profile}`,
    )
  })

  test('includes the backup, damaged profiles that were kept, and the ledger of uploads', () => {
    const all = withFiles()
    mkdirSync(path.join(all.state, 'uploads'), {mode: 0o700})
    const names = [
      'config/config.backup.json',
      'config/config.damaged-20261201T000000Z.json',
      'state/uploads/uploads.jsonl',
    ]
    for (const name of names) {
      const file = path.join(all.root, name)
      writeFileSync(file, '{}')
      chmodSync(file, 0o604)
    }
    expect(checkKeptFiles(all, me).map(({details}) => details?.path)).toEqual(
      names.map((name) => path.join(all.root, name)),
    )
  })

  test('is not looked at where files have no modes', () => {
    const all = withFiles()
    chmodSync(all.profile, 0o666)
    expect(checkKeptFiles(all, undefined)).toEqual([])
  })

  test('gives a fix that a shell understands whatever the path is', () => {
    const {root, state} = folders()
    const config = path.join(root, "it's mine; rm x")
    mkdirSync(config, {mode: 0o700})
    chmodSync(config, 0o755)
    expect(checkKeptFiles({config, state}, me)[0]?.fix).toBe(`chmod 700 '${root}/it'\\''s mine; rm x'`)
  })
})

const secret = 'tok-canary-7731'
const whole = JSON.stringify({
  version: 1,
  profiles: {prod: {credentials: {room: {store: 'file', origin: 'https://rooms.example.com', token: secret}}}},
})

function withProfile(text: string, backup?: string) {
  const {config} = folders()
  const file = path.join(config, 'config.json')
  writeFileSync(file, text, {mode: 0o600})
  if (backup !== undefined) writeFileSync(path.join(config, 'config.backup.json'), backup, {mode: 0o600})
  return {config, file}
}

describe('the profile file', () => {
  test('may not be there, which is only a hint', () => {
    const {config} = folders()
    const {file, found} = inspectProfile(path.join(config, 'deeper'))
    expect(found).toMatchObject({state: 'ok', fix: 'roomctl config init'})
    expect(file.profiles).toEqual({})
    expect(existsSync(path.join(config, 'deeper'))).toBe(false)
  })

  test('is whole', () => {
    const {config} = withProfile(whole)
    const {file, found} = inspectProfile(config)
    expect(found).toMatchObject({state: 'ok', fix: null, details: {version: 1, profiles: ['prod']}})
    expect(Object.keys(file.profiles)).toEqual(['prod'])
    expect(JSON.stringify(found)).not.toContain(secret)
  })

  test('is damaged, which is reported and not repaired', () => {
    const text = whole.slice(0, -9)
    const {config, file} = withProfile(text, whole)
    const {found, file: used} = inspectProfile(config)
    expect(found).toMatchObject({
      state: 'fail',
      what: expect.stringContaining('truncated at line 1'),
      fix: expect.stringContaining('or restore the copy of '),
      details: {path: file, backup_of: expect.stringMatching(/^\d{4}-/u)},
    })
    expect(JSON.stringify(found)).not.toContain(secret)
    expect(used.profiles).toEqual({})
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(config).sort()).toEqual(['config.backup.json', 'config.json'])
  })

  test('is a folder', () => {
    const {config} = folders()
    mkdirSync(path.join(config, 'config.json'))
    expect(inspectProfile(config).found).toMatchObject({state: 'fail', what: expect.stringContaining('is not a file')})
  })

  test('is below something that is no folder', () => {
    const {root} = folders()
    writeFileSync(path.join(root, 'plain'), '')
    const {found} = inspectProfile(path.join(root, 'plain'))
    expect(found).toMatchObject({state: 'fail', what: expect.stringContaining('a part of this path is not a folder')})
  })
})
