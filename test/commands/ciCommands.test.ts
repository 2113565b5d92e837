import path from 'node:path'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import type {WireRequest} from '../../src/api/http/wire/transport.js'
import {cli, type Ran} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {reply, sandboxOf} from './answers.js'
import {syncBench, words} from './asset/syncs.js'

const names = ['::set-output name=a::b,c%d.x', '##[add-mask]e.x', 'f ##vso[task.x]g.x', '::stop-commands::x.y']
const files = Object.fromEntries(names.map((name) => [name, name]))
const message = 'no\r\n::add-mask::secret\r##[error]x\n ::error::y ##vso[task.setvariable]z'
const env = {CI: 'true'}
const formats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'ids'] as const

/** The lines that a runner would carry out. */
function commandsIn({stdout, stderr}: Pick<Ran, 'stdout' | 'stderr'>): string[] {
  const lines = `${stdout}\n${stderr}`.split(/[\r\n]+/u)
  return lines.filter((line) => /^[\s\u0085]*::|##\w*\[/u.test(line))
}

const fileNames = (rows: readonly {readonly file: string}[]) => rows.map(({file}) => file).sort()

test.each(formats)('names of files and texts of the service begin no command of a CI runner: -o %s', async (format) => {
  const own = await syncBench(files)
  const sandbox = sandboxOf(own.store)
  const refusing = async (request: WireRequest) =>
    request.method === 'POST' ? reply(message, {status: 422}) : sandbox(request)
  const failed = await own.sync([...words, '-o', format], {env, transport: refusing})
  expect(failed.exit, failed.stderr).toBe(11)
  expect(commandsIn(failed)).toEqual([])
  const ran = await own.sync([...words, '-o', format], {env})
  expect(ran.exit, ran.stderr).toBe(0)
  expect(commandsIn(ran)).toEqual([])
  if (format === 'json') expect(fileNames(JSON.parse(ran.stdout))).toEqual([...names].sort())
  if (format === 'yaml') expect(fileNames(parse(ran.stdout))).toEqual([...names].sort())
  const listed = await own.cli(['asset', 'list', 'games/archive', '-o', format], {env})
  expect(listed.exit).toBe(0)
  expect(commandsIn(listed)).toEqual([])
  const fetched = ['asset', 'download', 'games/archive', '--recursive', '--dir', path.join(own.home, 'out')]
  const downloaded = await own.cli([...fetched, '-o', format], {env})
  expect(downloaded.exit, downloaded.stderr).toBe(0)
  expect(commandsIn(downloaded)).toEqual([])
})

test('progress for a program and the plan of a dry run begin none', () =>
  everyCase([[['--progress', 'json']], [['--progress', 'line']], [['--dry-run']], [['--check']]], async (more) => {
    const own = await syncBench(files)
    expect(commandsIn(await own.sync([...words, ...more], {env}))).toEqual([])
  }))

test('an answer of a service and a failure begin none, for any command', () =>
  everyCase(
    [
      ['room list'],
      ['room list -o json'],
      ['room list -o csv'],
      ['room list --debug'],
      ['asset list games -o yaml'],
      ['api room get /v1/rooms'],
      ['api room get /v1/rooms --include'],
      ['push list'],
    ] as const,
    async (line) => {
      for (const status of [200, 422, 500]) {
        const transport = async () => reply(message, {status, headers: {'x-note': '##[error]x'}})
        expect(commandsIn(await cli(line, {env, transport}))).toEqual([])
      }
    },
  ))

test('a command line that is no command of roomctl begins none', () =>
  everyCase([['::error::x'], ['room ::error::x'], ['room get ##[error]x -o json']] as const, async (line) => {
    expect(commandsIn(await cli(line, {env}))).toEqual([])
  }))

test('outside of a CI job a name stays as it is', async () => {
  const own = await syncBench(files)
  const ran = await own.sync([...words, '-o', 'csv'])
  for (const name of names) expect(ran.stdout).toContain(name)
})
