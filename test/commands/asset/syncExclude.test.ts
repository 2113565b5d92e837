import {existsSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {everyCase} from '../../support/everyCase.js'
import {outcomes, type SyncBench, syncBench, words} from './syncs.js'

const content = {
  'level.unity': 'the asset',
  'level.bundle': 'the bundle',
  'level.manifest': 'by the editor',
  'notes.txt': 'n',
  'tmp/a.txt': 'a',
  'sub/tmp/deep/b.txt': 'b',
  'sub/keep.txt': 'k',
  '#recycle.txt': 'r',
}

const synced = async (own: SyncBench, more: readonly string[]) => {
  const ran = await own.sync([...words, '--dry-run', '-o', 'json', ...more])
  expect(ran).toMatchObject({exit: 0})
  const rows: {file: string}[] = JSON.parse(ran.stdout)
  return rows.map(({file}) => file).sort()
}

describe('--exclude', () => {
  test('leaves out what matches, in all folders, and says so', async () => {
    const own = await syncBench(content)
    const globs = ['*.manifest', 'tmp/', '/notes.txt', '#recycle.txt'].flatMap((glob) => ['--exclude', glob])
    expect(await synced(own, globs)).toEqual(['level.bundle', 'level.unity', 'sub/keep.txt'])
    const {stderr} = await own.sync([...words, '--dry-run', ...globs])
    expect(stderr.split('\n')[0]).toBe(
      'ignored excluded entries: #recycle.txt, level.manifest, notes.txt, sub/tmp, tmp',
    )
  })

  test('that matches nothing is reported, with the form that may be meant', async () => {
    const own = await syncBench({...content, '.git/config': ''})
    own.put({
      'm.yaml': 'version: 1\nfiles:\n  - {path: sub/keep.txt, role: asset}\n  - {path: notes.txt, role: asset}\n',
    })
    const said = async (source: string, globs: readonly string[]) => {
      const flags = globs.flatMap((glob) => ['--exclude', glob])
      const {stderr} = await own.cli(['asset', 'sync', 'games/archive', source, ...words, '--dry-run', ...flags])
      return stderr.split('\n').filter((line) => line.includes('matches nothing'))
    }
    const other = 'case counts, and a / at the end is of folders'
    const lists = 'repeat --exclude for each pattern: there are no braces and no lists'
    await everyCase(
      [
        ['./tmp', 'a pattern begins without ./'],
        ['*.{txt,log}', lists],
        ['*.txt,*.log', lists],
        ['sub\\tmp', 'the parts of a path have / between them, and a \\ escapes the next character'],
        ['Tmp/', other],
        ['notes.txt/', other],
        ['[a', other],
        ['!*.png', other],
      ],
      async (glob, form) => {
        for (const source of [own.folder, path.join(own.folder, 'm.yaml')]) {
          expect(await said(source, [glob])).toEqual([`warning: --exclude ${glob} matches nothing; ${form}`])
        }
      },
    )
    expect(await said(own.folder, ['tmp/', '*.txt', 'notes.txt', '!sub/keep.txt', '.git', 'x'])).toEqual([
      `warning: --exclude x matches nothing; ${other}`,
    ])
    expect(await said(path.join(own.folder, 'm.yaml'), ['sub/', '*.txt'])).toEqual([])
  })

  test('leaves one asset beside a bundle, which is then linked to it', async () => {
    const own = await syncBench({'level.unity': 'u', 'level.bundle': 'b', 'level.manifest': 'm'})
    const ran = await own.sync([...words, '--dry-run', '-o', 'json', '--exclude', '*.manifest'])
    expect(JSON.parse(ran.stdout)).toContainEqual(expect.objectContaining({file: 'level.bundle', link: 'level.unity'}))
  })

  test('counts case, and keeps what a later pattern asks to', async () => {
    const own = await syncBench({'A.PNG': '1', 'b.png': '2', 'c.png': '3'})
    expect(await synced(own, ['--exclude', '*.png', '--exclude', '!c.png'])).toEqual(['A.PNG', 'c.png'])
  })

  test('of a file that a bundle needs is an error before anything is sent', async () => {
    const own = await syncBench({'level.unity': 'u', 'level.bundle': 'b'})
    const ran = await own.sync([...words, '-o', 'json', '--exclude', '*.unity'])
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'excluded',
      message: expect.stringContaining('level.bundle needs level.unity, which is excluded; nothing was sent'),
    })
  })

  test('of a file that a manifest links to is an error too; any other is left out', async () => {
    const manifest = `version: 1
files:
  - {path: a.unity, role: asset}
  - {path: a.bundle, role: bundle, link: a.unity}
  - {path: c.txt, role: asset}
`
    const own = await syncBench({'a.unity': 'u', 'a.bundle': 'b', 'c.txt': 'c', 'roomctl.assets.yaml': manifest})
    expect(await synced(own, ['--exclude', 'c.txt'])).toEqual(['a.bundle', 'a.unity'])
    expect(await own.sync([...words, '--exclude', 'a.unity'])).toMatchObject({exit: 14, stdout: '', sent: []})
  })

  test('reads a negated class as git does', async () => {
    const own = await syncBench({'1.txt': '1', 'a.txt': 'a', 'b.txt': 'b'})
    expect(await synced(own, ['--exclude', '[!0-9].txt'])).toEqual(['1.txt'])
    expect(await synced(own, ['--exclude', '[^a].txt'])).toEqual(['a.txt'])
  })

  test('takes a space at its end, and a # at its beginning, as they are', async () => {
    const own = await syncBench({'a.txt': 'a', 'b ': 'b', '#c': 'c'})
    expect(await synced(own, ['--exclude', 'b ', '--exclude', '#c'])).toEqual(['a.txt'])
  })

  test('that is empty is a mistake: a variable that is not set', async () => {
    const own = await syncBench(content)
    expect(await own.sync([...words, '--exclude', ''])).toMatchObject({exit: 2, sent: []})
  })
})

describe('.roomctlignore', () => {
  const ignore = '# built by the editor\n*.manifest\n\ntmp/\n!keep.manifest\n'

  test('leaves out the files it names, and is not uploaded or reported itself', async () => {
    const own = await syncBench({...content, 'keep.manifest': 'k', '.roomctlignore': ignore})
    expect(await synced(own, ['--exclude', 'notes.txt'])).toEqual([
      '#recycle.txt',
      'keep.manifest',
      'level.bundle',
      'level.unity',
      'sub/keep.txt',
    ])
    expect((await own.sync([...words, '--dry-run'])).stderr).not.toContain('.roomctlignore')
  })

  test('holds for a manifest of its folder', async () => {
    const manifest = 'version: 1\nfiles: [{path: a.txt, role: asset}, {path: b.txt, role: asset}]\n'
    const own = await syncBench({'a.txt': 'a', 'b.txt': 'b', 'm.yaml': manifest, '.roomctlignore': 'b.txt\r\n'})
    const ran = await own.cli([
      'asset',
      'sync',
      'games/archive',
      path.join(own.folder, 'm.yaml'),
      ...words,
      '-o',
      'json',
    ])
    expect(outcomes(ran)).toEqual([['a.txt', 'done']])
  })

  test('that is not text is an error, which names the line', async () => {
    for (const damage of ['a\0b', Buffer.from([0x61, 0xff, 0x62])]) {
      const own = await syncBench({
        'a.txt': 'a',
        '.roomctlignore': Buffer.concat([Buffer.from('x\n\n'), Buffer.from(damage)]),
      })
      const ran = await own.sync(words)
      expect(ran).toMatchObject({exit: 14, sent: []})
      expect(ran.stderr).toContain('line 3 is not UTF-8 text')
    }
  })

  test('with a line of more than 4 KiB is an error, which names the line', async () => {
    const own = await syncBench({'a.txt': 'a', '.roomctlignore': `x\r\n${'y'.repeat(4096)}\r\n${'z'.repeat(4097)}\n`})
    const ran = await own.sync(words)
    expect(ran).toMatchObject({exit: 14, sent: []})
    expect(ran.stderr).toContain('line 3 is longer than 4 KiB')
  })

  test('of more than 64 KiB is an error', async () => {
    const own = await syncBench({'a.txt': 'a', '.roomctlignore': 'long-pattern\n'.repeat(6000)})
    const ran = await own.sync(words)
    expect(ran).toMatchObject({exit: 14, sent: []})
    expect(ran.stderr).toContain('it is larger than 64 KiB')
  })

  test('with chains of stars takes no longer for it', async () => {
    const chain = `${'*a'.repeat(12)}b\n**/${'*a*/'.repeat(12)}b\n`
    const own = await syncBench({
      [`${'a'.repeat(60)}.png`]: '1',
      [`${'a/'.repeat(40)}c.png`]: '2',
      '.roomctlignore': chain.repeat(20),
    })
    const startedAt = process.cpuUsage()
    expect(await synced(own, [])).toHaveLength(2)
    const {user, system} = process.cpuUsage(startedAt)
    expect((user + system) / 1e6).toBeLessThan(20)
  })
})

describe('what roomctl wrote into the folder', () => {
  const inside = (own: SyncBench, name: string) => path.join(own.folder, name)

  test('is recognised by its content in the next run, with any name, and excluded', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const flags = ['--result', inside(own, 'out.dat')]
    expect(await own.sync([...words, ...flags, '--state-dir', inside(own, 'ci/state')])).toMatchObject({exit: 0})
    expect(existsSync(inside(own, 'ci/state/runs'))).toBe(true)
    const entry = {id: '1m83v72p8jqw', at: '2026-11-23T09:18:56.712Z', profile: 'live', operation: 'room.end'}
    own.put({'ci/state/runs/left': 'by a killed run', 'ci/journal.1.ndjson': `${JSON.stringify(entry)}\n`})
    expect(await synced(own, [])).toEqual(['a.txt'])
    const {stderr} = await own.sync([...words, '--dry-run'])
    expect(stderr).toContain('ignored files written by roomctl: ci/journal.1.ndjson, ci/state/runs')
    expect(stderr).toContain('out.dat')
  })

  test('is named as a lock, if roomctl 0.3.0 wrote one, and left out', async () => {
    const own = await syncBench({'a.txt': 'a', 'assets.lock': '# roomctl lock 1 games/archive\n'})
    const {stderr} = await own.sync([...words, '--dry-run'])
    expect(stderr.match(/assets\.lock/gu)).toHaveLength(1)
    expect(stderr).toContain('ignored locks of roomctl 0.3.0, which nothing reads any more: assets.lock\n')
    expect(await synced(own, [])).toEqual(['a.txt'])
  })

  test('is distinguished from files that only have such names', async () => {
    const own = await syncBench({
      'uploads.jsonl': '{"user":1}\n',
      'runs/1.txt': 'r',
      'journal.ndjson': '{"id":"1","at":"x"}\n',
      'roomctl.lock': '# roomctl locks\n',
      'result.json': '[{"file": "a"}]\n',
      'none.json': '[]\n',
      'empty.txt': '',
    })
    expect(await synced(own, [])).toEqual([
      ...['empty.txt', 'journal.ndjson', 'none.json', 'result.json', 'roomctl.lock', 'runs/1.txt', 'uploads.jsonl'],
    ])
  })

  test('holds the profile and the state of this machine, which are never sent', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const env = {ROOMCTL_CONFIG_DIR: inside(own, 'conf'), ROOMCTL_STATE_DIR: inside(own, 'mine')}
    own.put({'conf/old.p8': 'key', 'mine/notes': 'state'})
    const ran = await own.sync([...words, '-o', 'json'], {env})
    expect(JSON.parse(ran.stdout).map(({file}: {file: string}) => file)).toEqual(['a.txt'])
  })
})
