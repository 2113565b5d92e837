import {ambiguities} from '../../src/api/contract/ambiguities.js'
import {operations} from '../../src/api/contract/operations.js'
import {commonFlags, commonGroups} from '../../src/cli/flags/flags.js'
import {effectOf, type FlagHelp, formOf} from '../../src/cli/help/commandHelp.js'
import {exits} from '../../src/failure.js'
import {routeVariable} from '../../src/storage/profile/resolve.js'
import {settings} from '../../src/storage/profile/settings.js'
import {code, sentence, table} from './markdown.js'
import {fillRegion} from './regions.js'

/** The pages of help topics with lists from the source, regenerated. */
export function topicPages(read: (file: string) => string): (readonly [file: string, text: string])[] {
  const filled = (name: string, regions: Readonly<Record<string, string>>) => {
    const file = `docs/${name}.md`
    return [file, Object.entries(regions).reduce((page, [region, text]) => fillRegion(page, region, text), read(file))]
  }
  const agents = read('docs/agents.md').replace(/^- Exit codes: .*$/mu, `- Exit codes: ${exitWords()}.`)
  return [
    ['docs/agents.md', agents] as const,
    filled('environment', {settings: settingsTable(), routes: routeVariables()}),
    filled('exit-codes', {exits: exitsTable()}),
    filled('flags', {flags: flagTables()}),
    filled('sandbox', {readings: ambiguitiesTable()}),
  ].map(([file = '', text = '']) => [file, text] as const)
}

function exitWords(): string {
  const own = Object.entries(exits).filter(([, {code: exit}]) => exit < 100)
  return own.map(([word, {code: exit}]) => `${exit} ${word}`).join(', ')
}

function exitsTable(): string {
  const rows = Object.entries(exits).map(([word, {code: exit, meaning}]) => [String(exit), code(word), meaning])
  return table(['Exit', 'Word', 'Meaning'], rows)
}

/** The variables of the settings, each with its default. */
function settingsTable(): string {
  const rows = settings.flatMap(({env, what, default: otherwise}) =>
    env === undefined
      ? []
      : [
          [
            code(env),
            sentence(otherwise === undefined || otherwise === 'false' ? what : `${what}. Default: ${code(otherwise)}`),
          ],
        ],
  )
  return table(['Variable', 'Setting'], rows)
}

function routeVariables(): string {
  return operations.map(({id}) => code(routeVariable(id))).join(' ')
}

function flagTables(): string {
  const tables = Object.entries(commonGroups).map(([group, heading]) => {
    const flags = Object.entries(commonFlags).filter(([, {helpGroup}]) => helpGroup === group)
    const rows = flags.map(([name, flag]) => {
      // The name of a flag is its key in the record.
      const help = {...flag, name} as FlagHelp
      return [code(formOf(help)), effectOf(help)]
    })
    return `## ${heading}\n\n${table(['Flag', 'Effect'], rows)}`
  })
  return tables.join('\n\n')
}

function ambiguitiesTable(): string {
  const rows = Object.entries(ambiguities).map(([key, [, values, place, what]]) => [
    code(`${key}=${values.join('|')}`),
    `${what} (${place})`,
  ])
  return table(['Key', 'What it decides, and where the documentation speaks of it'], rows)
}
