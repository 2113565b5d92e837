import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {jsonLines} from '../../support/logText.js'
import {rowsOf, syncBench, words} from './syncs.js'

describe('--dry-run', () => {
  test('shows what would be done, in its order, and only reads', async () => {
    const own = await syncBench()
    const ran = await own.sync([...words, '--dry-run'])
    expect(ran).toMatchObject({exit: 0, stderr: '3 files on sandbox (built in): 3 upload, 31 B to send\n'})
    expect(ran.stdout).toBe(`FILE          KIND     ACTION  SIZE  LINK         REASON
level.unity   asset    upload   9 B  -            new
level.bundle  bundle   upload  10 B  level.unity  belongs to level.unity, which is uploaded before
catalog.json  catalog  upload  12 B  -            new
`)
    expect(ran.sent.map(({method, path: to}) => [method, to])).toEqual([['GET', '/asset/games/archive/']])
  })

  test('gives programs the same in every format', async () => {
    const own = await syncBench()
    const uuid = rowsOf(await own.sync([...words, '-o', 'json'])).get('level.unity')?.uuid
    own.put({'catalog.json': '{"level": 2}'})
    const shown = async (format: string) => (await own.sync([...words, '--dry-run', '-o', format])).stdout
    const again = await own.sync([...words, '--dry-run'], {columns: 120})
    expect(again.stderr).toMatch(/^3 files on sandbox \(built in\): 2 unchanged, 1 upload, 12 B to send$/mu)
    const rows = JSON.parse(await shown('json'))
    expect(rows[2]).toEqual({
      dry_run: true,
      file: 'catalog.json',
      role: 'catalog',
      action: 'upload',
      reason: 'changed since it was uploaded',
      bytes: 12,
      from: 0,
      platform: 'ios',
      uuid: null,
      link: null,
    })
    expect(rows[0]).toMatchObject({file: 'level.unity', action: 'skip', uuid})
    expect(rows[1]).toMatchObject({file: 'level.bundle', action: 'skip', link: uuid})
    expect(jsonLines(await shown('ndjson'))).toEqual(rows)
    expect(await shown('yaml')).toContain('file: catalog.json\n')
    expect((await shown('csv')).split('\n')[0]).toBe('file,role,action,bytes,link,reason')
    expect((await shown('tsv')).split('\n')[0]).toBe('file\trole\taction\tbytes\tlink\treason')
    const columns = await own.sync([...words, '--dry-run', '--columns', 'file,from,uuid,platform'])
    expect(columns.stdout.split('\n')[0]).toBe('FILE          FROM  UUID  PLATFORM')
  })

  test('fails where the container is not there, as the sync would', async () => {
    const own = await syncBench()
    const ran = await own.cli(['asset', 'sync', 'games/nowhere', own.folder, ...words, '--dry-run'])
    expect(ran.exit).toBe(6)
  })
})

describe('a line of the wrong form', () => {
  test.each([
    [['asset', 'sync'], 'CONTAINER and DIR|MANIFEST are missing'],
    [['asset', 'sync', 'games/archive'], 'DIR|MANIFEST is missing'],
    [['asset', 'sync', 'games//archive', '.', ...words], 'two slashes'],
    [['asset', 'sync', 'games/archive', '.', '--platform', 'linux'], '--platform takes ios, android or windows'],
    [['asset', 'sync', 'games/archive', '.', '--columns', 'nonsense', ...words], 'nonsense'],
    [['asset', 'sync', 'games/archive', '.', '--concurrency', '0', ...words], 'invalid --concurrency "0"'],
  ])('%j', async (line, expected) => {
    const own = await syncBench()
    const ran = await own.cli(line)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(expected)
  })

  test('names the flag that a folder without a manifest needs', async () => {
    const own = await syncBench()
    const ran = await own.sync(['--description', 'x'])
    expect(ran).toMatchObject({exit: 2, sent: []})
    expect(ran.stderr).toContain('the platform of catalog.json is not set')
    expect(ran.stderr).toContain('--platform ios, android or windows')
  })

  test('a missing or empty folder is reported', async () => {
    const own = await syncBench({'.hidden': 'x'})
    const gone = await own.cli(['asset', 'sync', 'games/archive', path.join(own.folder, 'gone'), ...words])
    expect(gone).toMatchObject({exit: 14, sent: []})
    const empty = await own.sync()
    expect(empty).toMatchObject({exit: 14, sent: []})
    expect(empty.stderr).toContain('there are no files in it')
  })
})
