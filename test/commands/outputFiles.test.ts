import {existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {cli, freshHome, type Ran} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'

interface Case {
  readonly flag: string
  readonly run: (file: string, more?: readonly string[]) => Promise<Ran>
  /** The start of the file. */
  readonly start: RegExp
  readonly exit: number
}

const manifest = path.join(freshHome(), 'manifest.yaml')
writeFileSync(path.join(path.dirname(manifest), 'a.txt'), 'content')
writeFileSync(manifest, 'version: 1\nplatform: ios\nfiles: [{path: a.txt, role: asset}]\n')

/** Every flag and argument that names a file for output. */
const cases: readonly Case[] = [
  {
    flag: 'asset sync --result',
    run: (file, more = []) => cli(['asset', 'sync', 'games/puzzle', manifest, '--result', file, ...more]),
    start: /^\[\n {2}\{\n {4}"file": "a\.txt"/u,
    exit: 0,
  },
  {
    flag: 'asset upload --result',
    run: async (file, more = []) => {
      const source = path.join(freshHome(), 'b.txt')
      writeFileSync(source, 'content')
      return cli(['asset', 'upload', 'games/puzzle', source, '--platform', 'ios', '--result', file, ...more])
    },
    start: /^\[\n {2}\{\n {4}"file": /u,
    exit: 0,
  },
  {
    flag: 'asset resume --result',
    run: (file, more = []) => cli(['asset', 'resume', '--result', file, ...more]),
    start: /^\[\]\n$/u,
    exit: 0,
  },
  {
    flag: 'config profile export FILE',
    run: async (file, more = []) => {
      const home = freshHome()
      await cli('config profile add live --room-url https://rooms.example.com', {home})
      return cli(['config', 'profile', 'export', 'live', file, ...more], {home})
    },
    start: /^\{\n {2}"kind": "roomctl-profile"/u,
    exit: 0,
  },
]

const target = () => path.join(freshHome(), 'out')
const written = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
const eachFlag = (check: (one: Case) => Promise<void>) =>
  everyCase(
    cases.map((one) => [one.flag, one] as const),
    (_, one) => check(one),
  )

test('writes a new file, an empty one, and an earlier one of its kind', () =>
  eachFlag(async ({run, start, exit}) => {
    const file = target()
    writeFileSync(file, '')
    for (const _ of ['over the empty one', 'over its own']) {
      expect(await run(file)).toMatchObject({exit})
      expect(written(file)).toMatch(start)
    }
    const fresh = target()
    expect(await run(fresh)).toMatchObject({exit})
    expect(written(fresh)).toMatch(start)
  }))

test('keeps any other file, before anything is sent, and replaces it with --overwrite', () =>
  eachFlag(async ({run, start, exit}) => {
    const file = target()
    writeFileSync(file, 'mine\n')
    const kept = await run(file)
    expect(kept).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(kept.stderr).toContain(`cannot write ${file}`)
    expect(kept.stderr).toContain('try: add --overwrite to replace it, or name another file')
    expect(written(file)).toBe('mine\n')
    expect(await run(file, ['--overwrite'])).toMatchObject({exit})
    expect(written(file)).toMatch(start)
  }))

test('replaces no link, to a file or to nothing, not even with --overwrite', () =>
  eachFlag(async ({run}) => {
    const [file, link] = [target(), target()]
    symlinkSync(file, link)
    for (const content of [undefined, '']) {
      if (content !== undefined) writeFileSync(file, content)
      for (const more of [[], ['--overwrite']]) {
        const ran = await run(link, more)
        expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
        expect(ran.stderr).toContain('why: it is a symbolic link')
        expect(lstatSync(link).isSymbolicLink()).toBe(true)
        expect(written(file)).toBe(content)
      }
    }
  }))

test('takes - and /dev/stdout for stdout, which then has nothing else', () =>
  eachFlag(async ({run, start, exit}) => {
    for (const format of ['table', 'ids']) {
      const file = target()
      await run(file, ['-o', format])
      for (const name of ['-', '/dev/stdout']) {
        const ran = await run(name, ['-o', format])
        expect(ran.exit).toBe(exit)
        expect(ran.stdout).toMatch(start)
        expect(ran.stdout.length).toBe(written(file)?.length)
      }
    }
    expect(existsSync('-')).toBe(false)
  }))

test('leads from --force to the flag that the command has', () =>
  eachFlag(async ({run}) => {
    const ran = await run(target(), ['--force'])
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toMatch(/unknown flag --force\n {2}try: use --(?:yes|overwrite)\n/u)
  }))

test('asset download --to keeps a file that is there, and replaces no link', async () => {
  const file = target()
  const run = (to: string, ...more: string[]) => cli(['asset', 'download', 'games/puzzle/a-logo', '--to', to, ...more])
  writeFileSync(file, 'mine')
  expect(await run(file)).toMatchObject({exit: 14, sent: []})
  expect(written(file)).toBe('mine')
  const link = target()
  symlinkSync(file, link)
  expect(await run(link, '--overwrite')).toMatchObject({exit: 14, sent: []})
  expect(written(file)).toBe('mine')
  expect((await run(file, '--overwrite')).exit).toBe(0)
  expect(readFileSync(file).length).toBe(70)
  writeFileSync(file, '')
  expect((await run(file)).exit).toBe(0)
  expect((await run('/dev/stdout')).stdout.length).toBeGreaterThan(60)
})

test('asset download replaces no link that has the name of a resource', async () => {
  const dir = freshHome()
  const file = target()
  writeFileSync(file, 'mine')
  symlinkSync(file, path.join(dir, 'logo.png'))
  const ran = await cli(['asset', 'download', 'games/puzzle/a-logo', '--dir', dir, '--overwrite'])
  expect(ran).toMatchObject({exit: 14, stdout: ''})
  expect(ran.stderr).toContain('is a symbolic link, and is not replaced')
  expect(written(file)).toBe('mine')
})
