import {expect} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {inOneProcess, type LineEnd, wordsOf} from '../support/inOneProcess.js'
import type {Place} from './place.js'

/** A command line that cannot go well: with which exit code it ends, and what its sentences say. */
export interface Case {
  readonly what: string
  readonly command: string
  readonly env?: Readonly<Record<string, string>>
  readonly exit: number
  readonly text: RegExp
}

/** Runs the cases, for programs too where `inJson` says so, and holds to each what holds for every refusal. */
export async function expectAllRefused(
  place: Place,
  cases: readonly Case[],
  {inJson = false}: {readonly inJson?: boolean} = {},
): Promise<void> {
  const type = inOneProcess()
  const words = wordsOf(cases.map(({command}) => command))
  await everyCase(
    cases.map((one, at) => [`${one.what}: ${one.command}`, one, words[at] ?? []] as const),
    async (_, one, own) => {
      const run = (more = {}) => type({words: own, cwd: place.dir, env: {...place.env, ...one.env, ...more}})
      const human = await run()
      expectRefused(human, one)
      if (inJson) expectRefusedInJson(await run({ROOMCTL_OUTPUT: 'json'}), human, one)
    },
  )
}

/**
 * What holds for every refusal: nothing on stdout, one sentence and its advice on stderr, which may show an expression with a
 * caret under it, no trace of the program.
 */
function expectRefused(ran: LineEnd, {exit, text}: Case): void {
  expect(ran.stderr).toMatch(text)
  expect(ran.stderr).toMatch(
    /^error: \S.*\n(?: {7}.*\n {7} *\^\n)?(?: {2}why: \S.*\n)?(?: {2}service: \S.*\n)?(?: {2}(?:try|see): \S.*\n(?: {7}.*\n {7} *\^\n)?)?$/,
  )
  expect(ran.stderr).not.toMatch(
    /\bE(?:NO|ACC|CONN|PERM|PIPE|EXIST|ADDR)[A-Z]*\b|\bat .*:\d+:\d+|Error:|undefined|\[object|should not/,
  )
  expect(ran).toMatchObject({exit, stdout: ''})
}

/** The same for programs: the same sentence, in one JSON object. */
function expectRefusedInJson(ran: LineEnd, human: LineEnd, {exit}: Case): void {
  expect(ran).toMatchObject({exit, stdout: ''})
  const {error} = JSON.parse(ran.stderr)
  expect(error).toMatchObject({exit_code: exit, outcome: 'none'})
  expect(human.stderr).toContain(`error: ${error.message}`)
}
