import {createHash} from 'node:crypto'
import {mkdirSync, readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {bench, creates} from './uploads.js'

const catalogText = '{\n  "version": 1,\n  "bundles": [\n'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const none = {file: null, bytes: null, sha256: null}

describe('asset download', () => {
  test('writes a resource under the name that it was uploaded by', async () => {
    const dir = freshHome()
    const {exit, stdout, stderr, sent} = await cli(['asset', 'download', 'games/puzzle/a-catalog', '--dir', dir])
    expect({exit, stderr}).toEqual({exit: 0, stderr: ''})
    const bytes = readFileSync(path.join(dir, 'catalog.json'))
    expect(bytes.toString()).toContain(catalogText)
    expect(stdout).toContain(path.join(dir, 'catalog.json'))
    expect(stdout).toContain(`  ${sha256(bytes).slice(0, 12)}  `)
    expect(sent.map(({method, path}) => `${method} ${path}`)).toEqual([
      'GET /asset/games/puzzle/a-catalog?type=meta',
      'HEAD /asset/games/puzzle/a-catalog',
      expect.stringMatching(/^GET \/asset-data\//),
    ])
  })

  test('takes several, also by the uris of a listing, and gives one result for each in their order', async () => {
    const dir = freshHome()
    const line = ['asset', 'download', '/asset/games/puzzle/a-level1?type=asset', 'games/puzzle/a-logo', '--dir', dir]
    const {exit, stdout} = await cli([...line, '-o', 'json'])
    expect(exit).toBe(0)
    const [level, logo] = ['level1.bundle', 'logo.png'].map((name) => path.join(dir, name))
    expect(JSON.parse(stdout)).toEqual([
      {
        resource: '/asset/games/puzzle/a-level1?type=asset',
        file: level,
        bytes: 3000,
        sha256: sha256(readFileSync(level ?? '')),
        outcome: 'done',
      },
      {
        resource: 'games/puzzle/a-logo',
        file: logo,
        bytes: 70,
        sha256: sha256(readFileSync(logo ?? '')),
        outcome: 'done',
      },
    ])
  })

  test('refuses a line of stdin that names nothing, and sends nothing', async () => {
    const stdin = 'games/puzzle/a-logo\n\n/asset/games/../../etc/passwd\n'
    const ran = await cli(['asset', 'download', '-', '--dir', freshHome()], {stdin})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain('error: the path contains the name ".."\n')
  })

  test('prints the files alone with -q, of resources that are named on stdin', async () => {
    const dir = freshHome()
    const stdin = 'games/puzzle/a-logo\n\ngames/puzzle/a-gone\ngames/puzzle/a-logo\n'
    const {exit, stdout, stderr} = await cli(['asset', 'download', '-', '--dir', dir, '-q'], {stdin})
    expect({exit, stdout}).toEqual({exit: 11, stdout: `${path.join(dir, 'logo.png')}\n`})
    expect(stderr).toMatch(/^error: cannot read the metadata of games\/puzzle\/a-gone: /)
  })

  test('of one that is not there fails as itself, of several in its row', async () => {
    const dir = freshHome()
    const alone = await cli(['asset', 'download', 'games/puzzle/a-gone', '--dir', dir, '-o', 'json'])
    expect(alone).toMatchObject({exit: 6, stdout: ''})
    const line = ['asset', 'download', 'games/puzzle/a-gone', 'games/puzzle/a-logo', '--dir', dir, '-o', 'json']
    const several = await cli(line)
    expect(several).toMatchObject({exit: 11, stderr: ''})
    expect(JSON.parse(several.stdout)).toEqual([
      {resource: 'games/puzzle/a-gone', ...none, outcome: 'failed', error: expect.objectContaining({exit_code: 6})},
      expect.objectContaining({resource: 'games/puzzle/a-logo', outcome: 'done'}),
    ])
  })

  test('begins no other once one failed with --fail-fast', async () => {
    const dir = freshHome()
    const line = ['asset', 'download', 'games/puzzle/a-gone', 'games/puzzle/a-logo', '--dir', dir, '-o', 'json']
    const {exit, stdout} = await cli([...line, '--fail-fast', '--concurrency', '1'])
    expect(exit).toBe(11)
    expect(JSON.parse(stdout)[1]).toMatchObject({resource: 'games/puzzle/a-logo', ...none, outcome: 'not-tried'})
    expect(readdirSync(dir)).toEqual([])
  })

  test('writes one resource to the file that --to names', async () => {
    const dir = freshHome()
    mkdirSync(path.join(dir, 'below'))
    const file = path.join(dir, 'below', 'my logo')
    const {exit, stdout} = await cli(['asset', 'download', 'games/puzzle/a-logo', '--to', file, '-q'])
    expect({exit, stdout}).toEqual({exit: 0, stdout: `${file}\n`})
    expect(readdirSync(path.join(dir, 'below'))).toEqual(['my logo'])
  })

  test('writes the bytes to stdout, and nothing else there', async () => {
    const {exit, stdout, stderr} = await cli('asset download games/puzzle/a-catalog --to -')
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({version: 1})
    expect(stderr).toBe(`wrote ${Buffer.byteLength(stdout)} B to stdout, sha256 ${sha256(Buffer.from(stdout))}\n`)
  })

  test('does not write bytes to a terminal', async () => {
    const ran = await cli('asset download games/puzzle/a-logo --to -', {columns: 80, env: {NO_COLOR: '1'}})
    expect(ran).toMatchObject({exit: 2, sent: []})
    expect(ran.stderr).toMatch(/^error: refusing to write binary data to a terminal\n/)
  })

  test('keeps only the bytes that were expected', async () => {
    const dir = freshHome()
    const line = ['asset', 'download', 'games/puzzle/a-logo', '--dir', dir, '--expect']
    const wrong = await cli([...line, 'A'.repeat(64)])
    expect(wrong).toMatchObject({exit: 14, stdout: ''})
    expect(wrong.stderr).toContain('cannot download games/puzzle/a-logo: the bytes are not the expected ones\n')
    expect(readdirSync(dir)).toEqual([])
    const digest = /sha256 is ([0-9a-f]{64})/.exec(wrong.stderr)?.[1] ?? ''
    expect((await cli([...line, digest.toUpperCase()])).exit).toBe(0)
    expect(sha256(readFileSync(path.join(dir, 'logo.png')))).toBe(digest)
  })

  test('sends nothing for a line that cannot be meant', () =>
    everyCase(
      [
        ['', 'CONTAINER/UUID is missing'],
        ['a/1 a/2 --to x', '--to takes one resource, but 2 are named'],
        [`a/1 a/2 --expect ${'a'.repeat(64)}`, '--expect takes one resource, but 2 are named'],
        ['a/1 --expect abc', '--expect must be a sha256: 64 hexadecimal digits'],
        ['a/1 --to there/', '--to names no file'],
        ['a/1 --to ..', '--to names no file'],
        ['a/1 --to x --dir y', '--dir cannot also be provided when using --to'],
        ['a/1 --concurrency 33', 'invalid --concurrency "33": expected a number'],
        ['games/', 'games/ is a container, not a resource'],
        ['a-logo', 'a-logo names no resource'],
      ],
      async (words, message) => {
        const ran = await cli(`asset download ${words}`)
        expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
        expect(ran.stderr).toContain(`error: ${message}`)
      },
    ))

  test('names --recursive where a container was named', () =>
    everyCase(
      [
        ['games/puzzle', 'if it is a container: '],
        ['games', 'if it is a container: '],
        ['games/puzzle/', ''],
      ] as const,
      async (named, condition) => {
        const {stderr} = await cli(['asset', 'download', named])
        expect(stderr).toContain(`\n  try: ${condition}roomctl asset download ${named} --recursive\n`)
      },
    ))

  test('takes a file name that is unique in its container, and else lists the candidates; show and --link, too', async () => {
    const own = await bench()
    const file = own.file('f1.bundle', 3)
    const uuids: string[] = []
    for (const platform of ['ios', 'android']) {
      const {stdout} = await own.cli(['asset', 'upload', 'games/archive', file.path, '--platform', platform, '-q'])
      uuids.push(stdout.trim())
    }
    const dir = freshHome()
    await own.cli(['asset', 'create', 'games/1.4', '--description', 'd'])
    const run = (...line: string[]) => own.cli(line)
    const ran = await run('asset', 'download', 'games/puzzle/logo.png', 'games/puzzle/level1.bundle', '--dir', dir)
    expect({exit: ran.exit, files: readdirSync(dir).sort()}).toEqual({exit: 0, files: ['level1.bundle', 'logo.png']})
    expect(ran.sent.filter(({path: to}) => to.endsWith('/puzzle/'))).toHaveLength(1)
    const shown = await run('asset', 'show', 'games/puzzle/logo.png', '-o', 'json')
    expect(JSON.parse(shown.stdout)).toMatchObject({uuid: 'a-logo'})
    const [first, second] = uuids
    await everyCase(
      [
        [
          'games/archive/f1.bundle',
          2,
          `games/archive has 2 resources named f1.bundle\n  why: they are games/archive/${first} (ios), games/archive/${second} (android)\n  try: name one of them by its uuid\n`,
        ],
        [
          'games/puzzle/logo.pmg',
          6,
          'games/puzzle has no resource named logo.pmg\n  why: it lists catalog.json, level1.bundle, logo.png\n  try: did you mean games/puzzle/logo.png?\n',
        ],
        [
          'games/x.y',
          6,
          'games has no resource named x.y\n  why: it lists no resources\n  try: roomctl asset list games\n',
        ],
        ['games/1.4', 2, 'games/1.4 is a container, not a resource\n  try: '],
        ['none/a.json', 6, 'cannot read '],
      ] as const,
      async (named, exit, text) => {
        for (const command of ['show', 'download']) {
          const {exit: ended, stderr} = await run('asset', command, named)
          expect({ended, stderr}).toEqual({ended: exit, stderr: expect.stringContaining(`error: ${text}`)})
        }
      },
    )
    expect((await run('asset', 'download', 'games/1.4')).stderr).toContain(
      'try: roomctl asset download games/1.4 --recursive\n',
    )
    const linked = await run(
      'asset',
      'upload',
      'games/puzzle',
      file.path,
      '--platform',
      'ios',
      '--link',
      'games/puzzle/logo.png',
    )
    expect(creates(linked.sent)[0]?.headers.Asset_Resource_File_Id).toBe('a-logo')
  })

  test('says the sum of several in the end', async () => {
    const line = ['asset', 'download', 'games/puzzle/a-level1', '--dir', freshHome()]
    expect((await cli(line)).stderr).toBe('')
    const {stderr} = await cli([...line, 'games/puzzle/a-logo', '--overwrite'])
    expect(stderr).toBe('downloaded 2 files, 3.0 KiB\n')
  })
})
