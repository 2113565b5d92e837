import {chmodSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {checkFiles} from '../../../../../src/features/doctor/checks/files.js'
import {type Folders, folders} from '../../../doctor/places.js'

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
    expect(checkFiles(all, me)).toMatchObject([{check: 'files', state: 'ok', details: {paths: expect.any(Array)}}])
  })

  test('may not be there at all', () => {
    const {root} = folders()
    const nowhere = path.join(root, 'none')
    expect(checkFiles({config: nowhere, state: nowhere}, me)).toMatchObject([
      {state: 'ok', what: 'nothing is kept on this machine yet'},
    ])
  })

  test.each([
    [0o644, 'read'],
    [0o640, 'read'],
    [0o622, 'change'],
  ])('with a profile of mode %o can be seen by others: they can %s it, and nothing is tightened', (mode, can) => {
    const all = withFiles()
    chmodSync(all.profile, mode)
    const [found, ...others] = checkFiles(all, me)
    expect(others).toEqual([])
    expect(found).toMatchObject({state: 'warn', details: {mode: `0${mode.toString(8)}`}})
    expect(found?.what).toContain(`other users of this machine can ${can} ${all.profile}`)
    expect(found?.fix).toContain(`chmod 600 ${all.profile}`)
    expect(found?.fix).toContain('roomctl config login')
    expect(statSync(all.profile).mode & 0o777).toBe(mode)
  })

  test('in folders that others can look into is told of each', () => {
    const all = withFiles()
    chmodSync(all.config, 0o755)
    chmodSync(all.state, 0o775)
    expect(checkFiles(all, me).map(({state, fix}) => [state, fix])).toEqual([
      ['warn', `chmod 700 ${all.config}`],
      ['warn', `chmod 700 ${all.state}`],
    ])
  })

  test('in a folder that all users share cannot be kept', () => {
    const all = withFiles()
    chmodSync(all.config, 0o1777)
    expect(checkFiles(all, me)).toMatchObject([{state: 'fail', what: expect.stringContaining('all users share')}])
  })

  test('that belongs to another user is refused', () => {
    const all = withFiles()
    const found = checkFiles(all, me + 1)
    expect(found.map(({state}) => state)).toEqual(['fail', 'fail', 'fail', 'fail'])
    expect(found[0]?.what).toContain(`belongs to another user (uid ${me}, you are ${me + 1})`)
    expect(found[0]?.fix).toBe(`sudo chown ${me + 1} ${all.config}`)
  })

  test('behind a symbolic link is refused where roomctl refuses it, and remarked upon elsewhere', () => {
    const all = withFiles()
    for (const file of [all.profile, all.journal]) {
      renameSync(file, `${file}.real`)
      symlinkSync(`${file}.real`, file)
    }
    const found = checkFiles(all, me)
    expect(found.map(({state, what}) => [state, what])).toEqual([
      ['fail', `${all.profile} is a symbolic link, which is refused`],
      ['fail', `${all.journal} is a symbolic link, which is refused`],
    ])
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
    expect(checkFiles(all, me).map(({details}) => details?.path)).toEqual(
      names.map((name) => path.join(all.root, name)),
    )
  })

  test('is not looked at where files have no modes', () => {
    const all = withFiles()
    chmodSync(all.profile, 0o666)
    expect(checkFiles(all, undefined)).toEqual([])
  })

  test('gives a fix that a shell understands whatever the path is', () => {
    const {root, state} = folders()
    const config = path.join(root, "it's mine; rm x")
    mkdirSync(config, {mode: 0o700})
    chmodSync(config, 0o755)
    expect(checkFiles({config, state}, me)[0]?.fix).toBe(`chmod 700 '${root}/it'\\''s mine; rm x'`)
  })
})
