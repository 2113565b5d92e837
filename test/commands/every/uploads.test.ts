import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {demoStore} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf, terminal} from '../answers.js'
import {type Live, live} from '../live.js'

/** The commands that upload: each sends more than one request, so the table of changes does not hold them. */
const commands = ['upload', 'sync', 'resume'] as const
type Name = (typeof commands)[number]

interface Stage {
  readonly service: Live
  readonly lines: Readonly<Record<Name, readonly string[]>>
  /** The requests since the stage was set, without reads. */
  readonly changes: () => string[]
}

/** A service with an interrupted upload, and a profile with these settings. */
async function stage(settings: object = {}): Promise<Stage> {
  let breaks = true
  const sandbox = sandboxOf(await demoStore())
  const service = await live({}, async (request) =>
    breaks && request.method === 'PATCH' ? reply('', {status: 403}) : sandbox(request),
  )
  const build = join(service.home, 'build')
  mkdirSync(build)
  for (const name of ['a.bundle', 'b.bundle']) writeFileSync(join(build, name), `the bytes of ${name}`)
  const said = ['--platform', 'ios', '--description', 'd']
  const upload = ['asset', 'upload', 'games/puzzle', join(build, 'a.bundle'), ...said]
  expect((await service.cli(upload)).exit).toBe(5)
  breaks = false

  const file = join(service.home, '.config/roomctl/config.json')
  const config = JSON.parse(readFileSync(file, 'utf8'))
  Object.assign(config.profiles.live, settings)
  writeFileSync(file, JSON.stringify(config), {mode: 0o600})
  const before = service.arrived.length
  return {
    service,
    lines: {upload, sync: ['asset', 'sync', 'games/puzzle', build, ...said], resume: ['asset', 'resume']},
    changes: () => service.arrived.slice(before).filter((request) => !/^(?:GET|HEAD) /.test(request)),
  }
}

describe.each(commands)('asset %s', (name) => {
  test('is not started on a protected profile without its name, and names the flag', async () => {
    const {service, lines, changes} = await stage({protected: true})
    const ran = await service.cli(lines[name])
    expect(ran).toMatchObject({exit: 13, stdout: '', asked: []})
    expect(ran.stderr).toContain('  try: add --confirm live: the profile is protected\n')
    const other = await service.cli([...lines[name], '--confirm', 'staging'], terminal(80))
    expect(other).toMatchObject({exit: 13, stdout: '', asked: []})
    expect(other.stderr).toContain('  why: --confirm names another profile than live\n')
    expect(changes()).toEqual([])
  })

  test('is answered by --confirm with the name of a protected profile', async () => {
    const {service, lines, changes} = await stage({protected: true})
    expect(await service.cli([...lines[name], '--confirm', 'live'])).toMatchObject({exit: 0, asked: []})
    expect(changes()).toContainEqual(expect.stringMatching(/^PATCH /))
  })

  test('with --dry-run needs no confirmation, and sends no change', async () => {
    for (const settings of [{protected: true}, {readOnly: true}]) {
      const {service, lines, changes} = await stage(settings)
      for (const format of ['table', 'json']) {
        const ran = await service.cli([...lines[name], '--dry-run', '-o', format])
        expect(ran).toMatchObject({exit: 0, asked: []})
        expect(ran.stdout).toContain('a.bundle')
        expect(ran.stdout + ran.stderr).not.toContain('sandbox-application-token')
      }
      expect(changes()).toEqual([])
    }
  })

  test('checks its flags before anything is sent', async () => {
    const {service, lines, changes} = await stage()
    const wrong = [
      ['-o', 'nonsense'],
      ['--columns', 'nonsense'],
      ['-o', 'json', '--columns', 'file'],
      ['-o', 'json', '--query', '['],
      ['-o', 'csv', '--query', 'file'],
      ['--sort', 'nonsense'],
      ['--tz', 'Mars/Olympus'],
      ['--json', '-q'],
      ['--timeout', '1e3x'],
      ['--concurrency', '0'],
      ['--chunk-size', '1'],
      ['--progress', 'xml'],
      ['--verify', 'everything'],
      ['--checksum', 'md5'],
      ['--state-dir', ''],
    ]
    for (const flags of wrong) {
      const ran = await service.cli([...lines[name], ...flags])
      expect(ran, flags.join(' ')).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr, flags.join(' ')).not.toBe('')
    }
    const badRoute = {env: {ROOMCTL_ROUTE_ASSET_UPLOAD: 'POST /nowhere'}}
    expect([2, 11]).toContain((await service.cli(lines[name], badRoute)).exit)
    expect(changes()).toEqual([])
  })

  // Each command in some of the formats, since one part of the tool writes them for all.
  const formats = {upload: ['table', 'csv', 'ids'], sync: ['json', 'tsv'], resume: ['ndjson', 'yaml']}
  test('gives one result for each file in every format', () =>
    everyCase(formats[name], async (format) => {
      const {service, lines} = await stage()
      const ran = await service.cli([...lines[name], '-o', format])
      expect(ran.exit).toBe(0)
      const [listed] = (
        await service.cli('asset list games/puzzle -o json --query [?name==`"a.bundle"`].uuid|[0]')
      ).stdout
        .trim()
        .split('\n')
      expect(ran.stdout).toContain(JSON.parse(listed ?? ''))
      if (format === 'json') {
        const rows = JSON.parse(ran.stdout)
        expect(rows).toContainEqual(expect.objectContaining({bytes: 21, outcome: 'done'}))
        expect(Array.isArray(rows)).toBe(true)
      }
    }))
})
