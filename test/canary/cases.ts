import {readFileSync} from 'node:fs'
import path from 'node:path'
import {type Kind, kinds} from './answers.js'
import {inputs} from './canaries.js'
import {type Line, lines} from './lines.js'
import {rawLines} from './rawLines.js'
import type {Script} from './service.js'

/** A line, how it is answered and how its result is to look. */
export interface Case {
  /** The id of the command. */
  readonly command: string
  readonly line: Line
  readonly kind: Kind
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

/**
 * Every line of every command, against every kind of answer, in every format; and what it would send, where it can say so.
 * `sparse`: in one format each, which are taken in turn.
 */
export function allCases(sparse: boolean): Case[] {
  const all = commands.flatMap((command) => {
    const its = [...(lines[command] ?? []), ...(command === 'api' ? rawLines : [])]
    return its.flatMap((line) => casesOf(command, line))
  })
  return all.flatMap((formats, at) => (sparse ? formats.slice(at % formats.length).slice(0, 1) : formats))
}

/** For each kind of answer the cases in all formats. */
function casesOf(command: string, line: Line): Case[][] {
  const itsKinds = line.kinds ?? (line.alone ? (['success'] as const) : kinds)
  const inFormats = (one: Line, kind: Kind) =>
    (line.formats ?? formats).map((format) => ({command, line: one, kind, format}))
  const cases = itsKinds.map((kind) => inFormats(line, kind))
  if (line.kinds || !('dry-run' in (manifest.commands[command]?.flags ?? {}))) return cases
  return [...cases, inFormats({...line, line: `${line.line} --dry-run`, isDry: true}, 'success')]
}

/** What a case is called where it is told of. */
export function nameOf({line, kind, format}: Case): string {
  return `${line.line} -o ${format}, answered with ${kind}`
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

const changes: Readonly<Record<string, Script['about']>> = {json: 'changes', csv: 'changes'}

/** Of a change the reads before it succeed, where that is not the very thing that is tried. */
export function scriptOf({line, kind, format, command}: Case): Script {
  const isChange = 'dry-run' in (manifest.commands[command]?.flags ?? {})
  const about = isChange ? changes[format] : format === 'json' ? 'later' : 'all'
  return {
    kind,
    about: (line.isUpload && format === 'csv' ? 'chunks' : about) ?? 'all',
    prepared: line.before !== undefined,
  }
}
