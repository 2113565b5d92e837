import {createHash} from 'node:crypto'
import {cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {jsonLines} from '../../support/logText.js'
import {terminal} from '../answers.js'
import {cutOff, known, ledgerFile, ledgerText, part} from './cutOff.js'
import {bench} from './uploads.js'

describe('asset uploads', () => {
  test('is an empty list where nothing was started, and makes no folder', async () => {
    const own = await bench()
    expect(await own.cli(['asset', 'uploads', '-o', 'json'])).toMatchObject({exit: 0, stdout: '[]\n', stderr: ''})
    expect(await own.cli(['asset', 'uploads'])).toMatchObject({exit: 0, stdout: '', stderr: 'no unfinished uploads\n'})
    expect((await own.cli(['asset', 'uploads'], terminal(80))).stderr).toBe('no unfinished uploads\n')
    expect((await own.cli(['asset', 'uploads', '--all'], terminal(80))).stderr).toBe('no uploads\n')
    expect(readdirSync(own.home)).toEqual(['work'])
  })

  test('shows how far each came, from where, and asks the service nothing', async () => {
    const own = await bench()
    const file = own.file('level2.bundle', 3 * part)
    await cutOff(own, [file], 2)
    const [row] = await known(own)
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/u),
      file: 'level2.bundle',
      container: 'games/puzzle',
      platform: 'ios',
      description: 'd',
      link: null,
      acked: 2 * part,
      bytes: 3 * part,
      percent: 66,
      begun_at: '2026-12-01T12:00:00.000Z',
      updated_at: '2026-12-01T12:00:00.000Z',
      path: file.path,
      service: 'http://sandbox.localhost/asset',
      state: 'unfinished',
      uuid: null,
      sha256: null,
    })
    const {stdout, stderr} = await own.cli(['asset', 'uploads', '--tz', 'utc'])
    expect(stderr).toBe('hidden columns: from\n')
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/u))).toEqual([
      ['ID', 'FILE', 'CONTAINER', 'PLATFORM', 'PROGRESS', 'STARTED'],
      [row?.id, 'level2.bundle', 'games/puzzle', 'ios', '128.0 KiB of 192.0 KiB (66 %)', '2026-12-01T12:00:00Z'],
      [''],
    ])
  })

  test('shows the finished ones only with --all, with the uuid that the service gave', async () => {
    const own = await bench()
    const {stdout} = await own.upload(
      [own.file('a.bundle', 10), own.file('empty.bundle', 0)],
      ['-q', '--concurrency', '1'],
    )
    await cutOff(own, [own.file('b.bundle', 2 * part)], 1)
    expect(await known(own)).toMatchObject([{file: 'b.bundle', state: 'unfinished', percent: 50}])
    const all = await known(own, ['--all'])
    expect(all.map(({file, state, percent}) => [file, state, percent])).toEqual([
      ['a.bundle', 'done', 100],
      ['empty.bundle', 'done', 100],
      ['b.bundle', 'unfinished', 50],
    ])
    expect(all.slice(0, 2).map(({uuid}) => uuid)).toEqual(stdout.trim().split('\n'))
  })

  test('reads the ledger in the folder that --state-dir names', async () => {
    const own = await bench()
    const folder = join(own.home, 'carried')
    await cutOff(own, [own.file('a.bundle', 2 * part)], 1, ['--state-dir', folder])
    expect(await known(own)).toEqual([])
    expect(await known(own, ['--state-dir', folder])).toMatchObject([{file: 'a.bundle'}])
    const copy = join(own.home, 'copy')
    cpSync(folder, copy, {recursive: true})
    expect(await known(own, ['--state-dir', copy])).toMatchObject([{file: 'a.bundle'}])
  })
})

describe('the ledger', () => {
  test('with a damaged line shows the others and says so on stderr', async () => {
    const own = await bench()
    await cutOff(own, [own.file('a.bundle', 2 * part)], 1)
    writeFileSync(ledgerFile(own), `{"v":1,"kind":"acked","id\n${ledgerText(own)}`)
    const {exit, stdout, stderr} = await own.cli(['asset', 'uploads', '-q'])
    expect({exit, lines: stdout.trim().split('\n').length}).toEqual({exit: 0, lines: 1})
    expect(stderr).toBe(`warning: line 1 of the ledger of uploads ${ledgerFile(own)} is damaged and was skipped\n`)
  })

  test('keeps the digest of each chunk, that a later run can prove', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 3 * part)
    await cutOff(own, [file], 2)
    const lines = jsonLines(ledgerText(own))
    const digest = (from: number) =>
      createHash('sha1')
        .update(readFileSync(file.path).subarray(from, from + part))
        .digest('base64')
    expect(lines.map(({kind}) => kind).slice(0, 2)).toEqual(['entry', 'created'])
    expect(lines.filter(({kind}) => kind === 'acked').map(({from, to, digest: told}) => [from, to, told])).toEqual([
      [0, part, digest(0)],
      [part, 2 * part, digest(part)],
    ])
  })
})
