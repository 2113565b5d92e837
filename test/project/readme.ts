import {readdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {root} from '../support/repository.js'

const guides = readdirSync(path.join(root, 'docs/guides')).map((file) => `docs/guides/${file}`)
/** The pages whose lines are typed. */
export const typedPages = ['README.md', 'docs/agents.md', ...guides]

/** Lines of the pages that are replaced: the reason, and the replacement. */
export const standIns: readonly {line: string; why: string; instead?: string}[] = [
  {line: 'roomctl config init', why: 'needs a person; run as an example of the help'},
  {line: 'roomctl sandbox start --seed demo', why: 'needs a second shell; run as an example of the help'},
  {line: 'npm ci && npm run demo', why: 'needs the registry; run by ci'},
  {line: 'npm ci && npm test', why: 'needs the registry; run by ci'},
  {
    line: 'npm ci --prefix roomctl',
    why: 'fetches from the npm registry',
    instead: `ln -s '${root}/node_modules' '${root}/dist' roomctl`,
  },
]
/** The lines of a page that are typed. */
export const typedOf = (text: string) =>
  linesOf(text).flatMap((own) => {
    const standIn = standIns.find(({line}) => line === own.line)
    if (standIn === undefined) return [own]
    return standIn.instead === undefined ? [] : [{...own, line: standIn.instead}]
  })

/** A line of a page that one types into a shell. */
export interface PageLine {
  readonly line: string
  /** The exit code that is written beside it, else 0. */
  readonly exit: number
  /** Whether the page shows its output, which is all up to the next `$ ` of its block. */
  readonly shown: boolean
}

const blocks = /^( *)```(sh|console)\n(.*?)^\1```$/gmsu

/**
 * Every line of the page to type, in order: those of `sh` blocks, where `# exits 7` says how one ends that is meant to fail,
 * and those after `$ ` in `console` blocks, with the output shown below each.
 */
export function linesOf(page: string): PageLine[] {
  return [...page.matchAll(blocks)].flatMap(([, indent = '', language, inside = '']) => {
    const text = inside.replaceAll(new RegExp(`^${indent}`, 'gmu'), '')
    const shown = language === 'console'
    const lines = shown ? [...text.matchAll(/^\$ (.*)$/gmu)].map(([, line = '']) => line) : text.split(/(?<!\\)\n/u)
    return lines.filter((line) => line.trim() !== '').map((line) => ({line, exit: exitBeside(line), shown}))
  })
}

/** The page with these outputs in its `console` blocks, one for each of their lines, in order. */
export function withOutputs(page: string, outputs: readonly string[]): string {
  const rest = [...outputs]
  return page.replaceAll(blocks, (block, indent, language, inside: string) => {
    if (language !== 'console') return block
    const typed = inside.match(/^\$ .*$/gmu) ?? []
    return `${indent}\`\`\`console\n${typed.map((line) => `${line}\n${rest.shift()}`).join('')}${indent}\`\`\``
  })
}

function exitBeside(line: string): number {
  return Number(/ # exits (\d+)$/u.exec(line)?.[1] ?? 0)
}

/** The output of a line, and its exit code; null if it was never reached, or waited for a promise that is never settled. */
export interface Ending {
  readonly text: string
  readonly exit: number | null
}

const program = path.resolve(import.meta.dirname, '../support/runLines.cjs')

/** The line of shell that runs plain lines, given by their words, in one process; FILE is for them. */
export function lineOf(words: readonly string[][], file: string): string {
  writeFileSync(file, JSON.stringify(words.map((own) => ({words: own}))))
  return `'${process.execPath}' '${program}' '${file}'`
}

/** The mark after the output of a line: its exit code between two NUL. */
export const noteExit = "printf '\\0%s\\0' $?"

/** The endings of several lines by what they wrote, each with its exit code behind it. */
export function endingsIn(written: string, count: number): Ending[] {
  const found = [...written.matchAll(/([^\0]*)\0(?:(\d+)|undefined)\0/gu)]
  return Array.from({length: count}, (_, at) => {
    const [, text = 'it was never reached', exit] = found[at] ?? []
    return {text, exit: exit === undefined ? null : Number(exit)}
  })
}
