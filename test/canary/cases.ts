import {readFileSync} from 'node:fs'
import path from 'node:path'
import {type Kind, kinds} from './answers.js'
import {inputs} from './canaries.js'
import {type Line, lines} from './lines.js'
import {rawLines} from './rawLines.js'
import type {Script} from './service.js'

type About = Script['about']

/** A line, how it is answered and how its result is to look. */
export interface Case {
  /** The id of the command. */
  readonly command: string
  readonly line: Line
  readonly kind: Kind
  readonly about: About
  readonly format: string
}

interface Manifest {
  readonly commands: Readonly<Record<string, {readonly flags: Readonly<Record<string, unknown>>}>>
}

const manifest: Manifest = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../dist/oclif.manifest.json'), 'utf8'),
)

/** The ids of all commands. */
export const commands = Object.keys(manifest.commands)

const formats = ['table', 'json', 'csv']

/** Refusals that differ in their status alone: a line meets 400, and one of these in turn. */
export const refusalsInTurn: readonly string[] = ['401', '403', '404', '500']

/**
 * Every line of every command, against every kind of answer; and its dry run, if any. The formats and some refusals are
 * taken in turn. `every`: one of N.
 */
export function allCases(every: number): Case[] {
  const its = commands.flatMap((command) =>
    [...(lines[command] ?? []), ...(command === 'api' ? rawLines : [])].map((line) => ({command, line})),
  )
  const all = its.flatMap(({command, line}, turn) =>
    casesOf(command, line).filter(({kind}) => {
      const place = refusalsInTurn.indexOf(String(kind))
      return place === -1 || place === turn % refusalsInTurn.length
    }),
  )
  const inTurn = all.map((one, at) => ({...one, format: formatAt(one.line.formats ?? formats, at)}))
  return inTurn.filter((_, at) => at % every === 0)
}

function formatAt(its: readonly string[], at: number): string {
  return its[at % its.length] ?? 'table'
}

function casesOf(command: string, line: Line): Omit<Case, 'format'>[] {
  const itsKinds = line.kinds ?? (line.alone ? (['success'] as const) : kinds)
  const cases = itsKinds.flatMap((kind) =>
    aboutsOf(command, line, kind).map((about): Omit<Case, 'format'> => ({command, line, kind, about})),
  )
  if (line.kinds || !isChange(command)) return cases
  return [
    ...cases,
    {command, line: {...line, line: `${line.line} --dry-run`, isDry: true}, kind: 'success', about: 'all'},
  ]
}

/** Those that are tried at more than one place of a line. */
const anywhere: readonly Kind[] = ['echo', 400, 'truncated']

/** Of a change the reads before it succeed, of other commands nothing; and the other way round. */
function aboutsOf(command: string, {isUpload}: Line, kind: Kind): readonly About[] {
  if (isUpload) return ['changes', 'chunks']
  const [usual, other]: readonly About[] = isChange(command) ? ['changes', 'all'] : ['all', 'later']
  return [usual, other].filter((about) => about !== undefined).slice(0, anywhere.includes(kind) ? 2 : 1)
}

function isChange(command: string): boolean {
  return 'dry-run' in (manifest.commands[command]?.flags ?? {})
}

/** The name of a case in a report. */
export function nameOf({line, kind, about, format}: Case): string {
  return `${line.line} -o ${format}, answered with ${kind} (${about})`
}

/** The words of a case. */
export function wordsOf({line, format, command}: Case, flags: readonly string[]): string[] {
  const added = command === 'complete' ? [] : ['-o', format, ...flags.filter((flag) => takes(command, flag))]
  return [...split(line.line), ...added]
}

/** The words of a line; an underscore is a space. */
export function split(line: string): string[] {
  return line.split(' ').map((word) => word.replace('$IN', inputs).replace(/(?<=^(?:GET|POST|PATCH|PUT|DELETE))_/, ' '))
}

function takes(command: string, flag: string): boolean {
  return flag.slice(2) in (manifest.commands[command]?.flags ?? {})
}

/** How the service answers a case. */
export function scriptOf({line, kind, about, command}: Case): Script {
  return {kind, about, prepared: line.before !== undefined, isRaw: command === 'api'}
}
