import {copyFileSync, mkdirSync, renameSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import type {Code} from '../../src/api/contract/codes.js'
import {casesOfStatus, statusesOf} from '../../src/api/contract/httpStatusMeanings.js'
import {type OperationId, operationById} from '../../src/api/contract/operations.js'
import {bashWords} from '../../src/features/completion/parseLine.js'
import {sandboxToken} from '../../src/sandbox/world/world.js'
import {instead, isChange, lost, refusal, reply, sandboxOf} from '../commands/answers.js'
import {adviceTexts} from '../support/adviceTexts.js'
import {type Circumstances, cli, demoStore, esc, freshHome} from '../support/cli.js'
import {lineEnvironment as env} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'
import {type AdviceRow, adviceRows, own, type Place, profile} from './adviceRows.js'
import {stateRows} from './adviceStates.js'
import {advised, cells, type changes, confirmed, type states} from './refusedChanges.js'

/** Replacements for placeholders of the advice. */
const typed: Readonly<Record<string, string>> = {
  ...{NAME: 'Weekly', USER: 'ann', NUMBER: '12', TEXT: 'text', ID: 'app-1', VALUE: 'json', SHELL: 'bash', TIME: '+1h'},
  ...{CONTAINER: 'games/puzzle', 'CONTAINER/UUID': 'games/puzzle/a-level1', ROOM: 'r-review', PLATFORM: 'ios'},
  ...{'METHOD /path': 'GET /x'},
}
const workshop = new TestCredentials()
const key = workshop.file('AuthKey_KEY7654321.p8', workshop.key('apns', 'P-256'))

async function place(): Promise<Place> {
  const [home, store] = [freshHome(), await demoStore()]
  const at = (name: string) => path.join(home, name)
  mkdirSync(at('build'))
  writeFileSync(at('build/a.txt'), 'bytes')
  writeFileSync(at('file.txt'), 'text')
  const values: Record<string, string> = {
    ...{
      ...typed,
      FILE: at('file.txt'),
      DIR: at('build'),
      KEYFILE: key,
      KEY: 'output',
      MANIFEST: at('build.yaml'),
      PLAN: at('plan'),
      DATA: at('data'),
    },
  }
  const first = async (line: string) => (await cli(line, {home, store})).stdout.trim().split('\n')[0] ?? ''
  return {
    home,
    store,
    values,
    run: async (line, more = {}) => {
      if (line.includes(' UPLOAD')) values.UPLOAD = await first('asset uploads --all -q')
      if (line.includes(' CHANGE')) values.CHANGE = await first('history -q')
      const words = bashWords(line).map(({text}) => values[text] ?? text.replace(/^METHOD /u, 'GET '))
      // Time must pass for requests, too: what waits for nothing else would end before they do.
      const onWait = () => new Promise((resolve) => setTimeout(resolve, 1))
      return cli(words, {home, store, ...(words.includes('watch') ? {onWait} : {}), ...more})
    },
  }
}

/** Every advice that was run, as it was printed. */
const tried: string[] = []

/** The advice that a run printed: below an error or a run, in a note, or as the fix of a finding. */
function adviceIn({stderr, stdout}: {readonly stderr: string; readonly stdout: string}): string[] {
  const said = `${stderr}\n${stdout}`
  const plain = [...said.matchAll(/^(?: *(?:try|see): .*| *"fix": ".*|.*: roomctl .*)$/gmu)]
  return plain.map(([line]) => line.replace(/^ *(?:try|see|"fix"): "?/u, '').replace(/",?$/u, ''))
}

/** The command lines of an advice, without what a shell makes of them. */
const commandsOf = (advice: string) =>
  advice
    .split(/; |, or: | && /u)
    .flatMap((part) => /(?:^|: )roomctl (.*)$/u.exec(part)?.[1]?.replace(/ [<>]+ .*$/u, '') ?? [])

/** A person's handling of commands: types a token, leaves the questions, stops a watch, says yes, works in another folder. */
async function follow(command: string, at: Place, {env}: Circumstances, settings: Circumstances = {}) {
  const typing: Circumstances = command.startsWith('config login') ? {stdin: sandboxToken} : {}
  const leaving: Circumstances =
    command === 'config init'
      ? {answers: [esc]}
      : command.startsWith('sandbox start')
        ? {signal: AbortSignal.timeout(500)}
        : {}
  const more = {...(env && {env}), ...typing, ...leaving, ...(command.startsWith('config ') ? settings : {})}
  const aside = /^asset download (?!.* --dir)/u.test(command) ? ' --dir DIR' : ''
  const line = command.startsWith('room watch')
    ? `${command} --timeout 500ms`
    : `${command}${aside}`.replace('sandbox start', 'sandbox start --port 0')
  const ran = await at.run(line, more)
  const [answer] = (ran.exit === 13 && /--yes|--confirm [\w-]+/u.exec(ran.stderr)) || []
  return answer ? at.run(`${line} ${answer}`, more) : ran
}

/** Runs the file commands of an advice that precede its command. */
function moveFiles(advice: string): void {
  for (const [, how, from = '', to = ''] of advice.matchAll(/: (cp|mv) (\S+) (\S+) && /gu)) {
    if (how === 'mv') renameSync(from, to)
    else copyFileSync(from, to)
  }
}

/** Runs a line, then its advice in the state that made it: no command of it is wrong, or fails as the line did. */
async function tryRow({line, before = [], state, where = {}, settings}: AdviceRow, atLeast = 1): Promise<void> {
  const at = await place()
  await state?.(at)
  const met = typeof where === 'function' ? await where(at) : where
  for (const one of before) expect([one, (await at.run(one, met)).exit]).toEqual([one, 0])
  const ran = await at.run(line, met)
  const advice = adviceIn(ran)
  if (advice.length < atLeast) throw new Error(`no advice: ${ran.exit} ${ran.stderr}`)
  for (const text of advice) {
    tried.push(text)
    moveFiles(text)
    for (const command of commandsOf(text)) {
      const {exit, stderr} = await follow(command, at, met, settings)
      const [said = ''] = stderr.split('\n')
      expect(exit, `${text}: ${command}: ${said}`).not.toBe(2)
      if (exit !== 0) expect(ran.stderr, `${text}: ${command}`).not.toContain(`${said}\n`)
    }
  }
}

const operations = Object.keys(lines) as OperationId[]
const changing = operations.filter((id) => operationById(id)?.change !== undefined)

describe('each advice can be followed in the state that made it', () => {
  test.each([...adviceRows, ...stateRows].map((row) => [row.line, row] as const))('%s', (_, row) => tryRow(row))

  test('of each refusal of a room in each state: a command works there', () =>
    everyCase(cells, async (id, code, state) => {
      const {advice, stderr, run} = await advised(id, code, state)
      tried.push(advice)
      const [, why = ''] = /\n {2}why: (.*)\n/u.exec(stderr) ?? []
      if (state !== 'ENDED') expect([stderr, why]).toEqual([stderr, expect.not.stringMatching(/is ENDED/u)])
      // In a room that is not full, the service's message stands alone.
      if (id === 'attendee.token' && code === 'CE001') return expect(advice).toBe('')
      expect(advice, stderr).toMatch(/\S/u)
      expect(advice).not.toMatch(/\{\w+\}|undefined|null/u)
      if (advice.startsWith('roomctl ')) expect([advice, await run(confirmed(advice))]).toEqual([advice, 0])
    }))

  test('of a change that may have been made', () =>
    everyCase(changing, (id) =>
      tryRow({
        line: lines[id],
        where: ({store}) => ({
          env,
          transport: async (request) => {
            if (isChange(request)) throw lost('reset', 'maybe')
            return sandboxOf(store)(request)
          },
        }),
      }),
    ))

  test('of each status of a service without codes', () =>
    everyCase(
      operations.flatMap((id) => {
        const service = operationById(id)?.service
        if (service === undefined || service === 'room') return []
        const [first] = operations.filter((one) => operationById(one)?.service === service)
        // Each case of a status once, by an operation that it is for.
        const isOwn = (status: number) => casesOfStatus(status).some(({of}) => of.includes(id))
        const statuses = statusesOf(service).map((status) => (status === '5xx' ? 500 : status))
        return statuses.filter((status) => id === first || isOwn(status)).map((status) => [id, status] as const)
      }),
      (id, status) =>
        tryRow({
          line: `${lines[id]} --retries 0`,
          state: profile(),
          settings: own,
          where: () => ({env, transport: async () => reply('{}', {status})}),
        }),
    ))
})

test.each<[keyof typeof changes, Code, (typeof states)[number], RegExp]>([
  ['room.delete', 'D001', 'RESERVED', /why: the room is RESERVED now, which allows it; .*\n {2}try: wait a moment/u],
  ['record.start', 'RE001', 'ENDED', /\n {2}try: create another room with room create\n/u],
  ['record.start', 'RE001', 'MEETING', /why: a recording is already running\n {2}try: roomctl record stop r-1\n/u],
  ['record.stop', 'RE001', 'MEETING', /why: no recording is running\n/u],
  ['attendee.token', 'CE001', 'MEETING', /^error: [^\n]* r-1: the service said no \(CE001\)\n$/u],
])('%s refused with %s in %s', async (id, code, state, text) => {
  expect((await advised(id, code, state)).stderr).toMatch(text)
})

test('a read that is refused advises no flag of changes', async () => {
  for (const line of ['room list', 'room show r-1', 'attendee list r-1', 'record list r-1']) {
    const {stderr} = await cli(line, {transport: await instead(() => true, [() => refusal('CE001')])})
    expect(stderr).toContain('\n  try: run the command again with --debug to see the request\n')
  }
})

test('each advice with a command that the sources write out was tried, or has its own test', () => {
  const written = adviceTexts.filter(({namesCommand}) => namesCommand)
  const isTried = (said: string) => {
    const form = new RegExp(
      said
        .split('X')
        .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'))
        .join('.*'),
      'u',
    )
    return tried.some((text) => form.test(text))
  }
  const all = [...new Set(written.map(({said}) => said))]
  const left = all.filter((said) => !isTried(said))
  expect(all.length - left.length).toBeGreaterThan(70)
  expect(left).toEqual([])
})
