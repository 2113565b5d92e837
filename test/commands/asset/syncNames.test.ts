import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import type {Ran} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {begun, type SyncBench, syncBench, words} from './syncs.js'

const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))))

/** The lines of a manifest below an error. */
function manifestIn({stderr}: Ran): string {
  return stderr.slice(stderr.indexOf('    version: 1')).replace(/^ {4}/gmu, '')
}

async function refused(own: SyncBench, more: readonly string[] = []) {
  const ran = await own.sync([...words, ...more])
  expect({exit: ran.exit, stdout: ran.stdout, begun: begun(ran)}).toEqual({exit: 14, stdout: '', begun: []})
  return ran
}

test('names that cannot be sent are one error, with the manifest that sends every file under another', async () => {
  const own = await syncBench({
    ...{
      LICENSE: 'l',
      level1: 'UnityFS\0 bundle',
      'a.': 'a',
      'b.c d': 'b',
      ' e.png': 'e',
      'menu.unity': 'm',
      'menu.bundle': 'n',
    },
    ...{'one/x.png': '1', 'two/x.png': '2', 'three/four/x.png': '3', 'x-two.png': '4'},
  })
  for (const more of [[], ['--dry-run'], ['--check']]) {
    const {stderr} = await refused(own, more)
    for (const part of [
      'error: cannot sync ',
      ': 6 files cannot be sent under these names; nothing was sent\n',
      'LICENSE: the name LICENSE has no extension; a.: the name a. has no extension; b.c d: the name b.c d has no extension; ',
      'three/four/x.png: one/x.png would be x.png for ios, too; two/x.png: one/x.png would be x.png for ios, too',
      `try: write these lines to ${own.folder}/roomctl.assets.yaml, and run the command again\n`,
    ]) {
      expect(stderr).toContain(part)
    }
  }
  own.put({'roomctl.assets.yaml': manifestIn(await refused(own))})
  const ran = await own.sync()
  expect(ran.exit).toBe(0)
  expect(begun(ran).sort()).toEqual([
    ...['%20e.png', 'LICENSE.bin', 'a.bin', 'b.c d.bin', 'level1.bundle', 'menu.bundle', 'menu.unity'],
    ...['x-2.png', 'x-three-four.png', 'x-two.png', 'x.png'],
  ])
})

test('of a large folder the lines are those of the refused files', async () => {
  const own = await syncBench(
    Object.fromEntries(Array.from({length: 60}, (_, at) => [at < 45 ? `level${at}` : `${at}.png`, 'x'])),
  )
  const lines = manifestIn(await refused(own))
    .trim()
    .split('\n')
  expect(lines.slice(2, -1)).toHaveLength(45)
  expect(lines.at(-1)).toBe('# and one for each of the 15 files left')
})

test('what no manifest can name is to be renamed or excluded, and each name is shown as it is', async () => {
  const own = await syncBench({'ok.png': 'x', 'a\nb.png': 'x', 'c\\d.png': 'x'})
  const folder = bytes(own.folder, '/caf', 0xe9)
  mkdirSync(folder)
  writeFileSync(bytes(own.folder, '/t', 0xff, '.bundle'), 'x')
  writeFileSync(path.join(own.folder, 'real \ufffd.png'), 'x')
  const {stderr} = await refused(own)
  expect(stderr).not.toContain('version: 1')
  for (const line of [
    'caf\\xe9: its name is not UTF-8; t\\xff.bundle: its name is not UTF-8; ',
    '    # "a\\nb.png": the file name holds a line break or another control character\n',
    '    # "c\\\\d.png": c\\d.png is no file name but a path\n',
    '  try: rename the files that no manifest can name, or exclude them with --exclude\n',
  ]) {
    expect(stderr).toContain(line)
  }
  const excluded = ['caf*', 't*.bundle', 'a*b.png', 'c*d.png'].flatMap((glob) => ['--exclude', glob])
  expect(begun(await own.sync([...words, ...excluded]))).toHaveLength(2)
})

test('a manifest names which of its lines to change; in JSON they follow the advice', async () => {
  const own = await syncBench({'a/x.png': '1', 'b/x.png': '2', 'c.png': '3'})
  const manifest = path.join(own.folder, 'm.yaml')
  const files = [
    '{path: a/x.png, role: asset}',
    '{path: b/x.png, role: asset, description: d}',
    '{path: c.png, role: asset}',
  ]
  own.put({'m.yaml': `version: 1\nfiles:\n${files.map((file) => `  - ${file}\n`).join('')}`})
  await everyCase<readonly [readonly string[], string]>(
    [
      [
        [],
        `  try: change these lines of ${manifest}\n      - {path: "b/x.png", role: "asset", name: "x-b.png", description: "d"}\n`,
      ],
      [['-o', 'json'], '{path: \\"b/x.png\\"'],
    ],
    async (more, text) => {
      const ran = await own.cli(['asset', 'sync', 'games/archive', manifest, '--platform', 'ios', ...more])
      expect(ran).toMatchObject({exit: 14, sent: []})
      expect(ran.stderr).toContain(text)
    },
  )
})
