import {effectOf, type FlagHelp, formOf} from '../../src/cli/help/commandHelp.js'
import {code, either, prose, table} from './markdown.js'

/** A row for each flag: its form and effect. */
export function flagTable(flags: readonly FlagHelp[]): string {
  return table(
    ['Flag', 'Effect'],
    flags.map((flag) => [code(formOf(flag)), [prose(effectOf(flag)), ...remarks(flag)].join('; ')]),
  )
}

/** The flags that a flag goes with, or does not. */
export function remarks({exclusive = [], dependsOn = []}: FlagHelp): string[] {
  const names = (those: readonly string[]) => those.map((name) => code(`--${name}`))
  return [
    ...(exclusive.length > 0 ? [`not together with ${either(names(exclusive))}`] : []),
    ...(dependsOn.length > 0 ? [`only with ${names(dependsOn).join(' and ')}`] : []),
  ]
}

/** `-o`, `-q`, `--columns`: the common flags that a command takes. */
export function commonNames(flags: readonly FlagHelp[]): string {
  const own = flags.filter(({helpGroup}) => !everywhere.has(String(helpGroup)))
  return ['those of every command', ...own.map(({char, name}) => code(char ? `-${char}` : `--${name}`))].join(', ')
}

/** The groups of flags that every command takes. */
const everywhere = new Set(['OUTPUT', 'GLOBAL'])
