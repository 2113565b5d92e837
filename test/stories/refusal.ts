import {expect} from 'vitest'
import {type Place, type Ran, shell} from './place.js'

/** A command line that cannot go well: with which exit code it ends, and what its sentences say. */
export interface Case {
  readonly what: string
  readonly command: string
  readonly env?: Readonly<Record<string, string>>
  readonly exit: number
  readonly text: RegExp
}

/** Runs a case; `more` is added to its environment. */
export function run(place: Place, {command, env = {}}: Case, more: Record<string, string> = {}): Promise<Ran> {
  return shell(place, command, {env: {...env, ...more}, stdin: ''})
}

/**
 * What holds for every refusal: nothing on stdout, one sentence and its advice on stderr, which may show an expression with a
 * caret under it, no trace of the program.
 */
export function expectRefused(ran: Ran, {exit, text}: Case): void {
  expect(ran.stderr).toMatch(text)
  expect(ran.stderr).toMatch(/^error: \S.*\n(?: {2}why: \S.*\n)?(?: {2}(?:try|see): \S.*\n(?: {7}.*\n {7} *\^\n)?)?$/)
  expect(ran.stderr).not.toMatch(
    /\bE(?:NO|ACC|CONN|PERM|PIPE|EXIST|ADDR)[A-Z]*\b|\bat .*:\d+:\d+|Error:|undefined|\[object|should not/,
  )
  expect(ran).toMatchObject({exit, stdout: ''})
}

/** The same for programs: the same sentence, in one JSON object. */
export function expectRefusedInJson(ran: Ran, human: Ran, {exit}: Case): void {
  expect(ran).toMatchObject({exit, stdout: ''})
  const {error} = JSON.parse(ran.stderr)
  expect(error).toMatchObject({exit_code: exit, outcome: 'none'})
  expect(human.stderr).toContain(`error: ${error.message}`)
}
