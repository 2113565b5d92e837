import type {Flag} from './commands.js'
import {code, either, prose, table} from './markdown.js'

/** Flags under one heading. */
export interface FlagGroup {
  readonly heading: string
  readonly flags: readonly Flag[]
}

const headings: Readonly<Record<string, string>> = {
  '': 'Flags',
  SENDING: 'Flags for sending',
  'SEVERAL TARGETS': 'Flags for several targets',
  SAFETY: 'Flags for safety',
  OUTPUT: 'Flags for output',
  GLOBAL: 'Flags for settings',
}

/** Flags by the group that the help shows them in. Raises an Error for a group that has no heading here. */
export function groupsOf(flags: readonly Flag[]): FlagGroup[] {
  const strange = flags.find(({helpGroup = ''}) => !(helpGroup in headings))
  if (strange) throw new Error(`the group ${strange.helpGroup} of --${strange.name} has no heading`)
  return Object.entries(headings).flatMap(([group, heading]) => {
    const those = flags.filter(({helpGroup = ''}) => helpGroup === group)
    return those.length === 0 ? [] : [{heading, flags: those}]
  })
}

/** A row for each flag: its form, and what it does. */
export function flagTable(flags: readonly Flag[]): string {
  return table(
    ['Flag', 'Effect'],
    flags.map((flag) => [code(formOf(flag)), [prose(flag.summary ?? ''), ...remarks(flag)].join('; ')]),
  )
}

/** `-a, --attendee USER`, `--[no-]joinable`, `--host creator|first`. */
export function formOf(flag: Flag): string {
  const short = flag.char ? `-${flag.char}, ` : ''
  if (flag.type === 'boolean') return `${short}--${flag.allowNo ? '[no-]' : ''}${flag.name}`
  return `${short}--${flag.name} ${flag.options?.join('|') ?? flag.helpValue ?? 'VALUE'}`
}

/** What else is to be known of a flag: its default, and the flags that it goes with or not. */
export function remarks(flag: Flag): string[] {
  const {exclusive = [], dependsOn = []} = flag
  const names = (those: readonly string[]) => those.map((name) => code(`--${name}`))
  return [
    ...defaultOf(flag),
    ...(exclusive.length > 0 ? [`not together with ${either(names(exclusive))}`] : []),
    ...(dependsOn.length > 0 ? [`only with ${names(dependsOn).join(' and ')}`] : []),
  ]
}

function defaultOf(flag: Flag): string[] {
  const value: unknown = flag.default
  if (flag.type === 'boolean') return value === true ? ['on by default'] : []
  return typeof value === 'string' ? [`by default ${code(value)}`] : []
}
