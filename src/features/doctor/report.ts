import {arch, version as node, platform} from 'node:process'
import {assertWritableFile, writePrivate} from '../../cli/files/writeFile.js'
import {presentList, presentText} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {noStyle} from '../../text/style.js'
import {safeText} from '../../text/text.js'
import {type Diagnosis, diagnosisList, diagnosisSummary, diagnosisText} from '../../view/tool/doctor.js'
import {settingRows} from '../config/rows.js'

/** What this command sets for itself says nothing of other commands. */
const ownLimits: ReadonlySet<string> = new Set(['timeout', 'retries'])

/** Looks, before anything is checked, whether a report can be written. Raises a Failure (file). */
export function assertReport(path: string, force: boolean): void {
  assertWritableFile(path, force ? undefined : {advice: 'name another file, or add --force'})
}

/**
 * Writes all that was found to a file for its user alone (0600), with the versions and the settings: as JSON where its name ends
 * in `.json`, else as text. Tokens are masked, and the home folder is `~`; names of hosts and profiles stay. Raises a Failure (file).
 */
export function writeReport(path: string, session: Session, version: string, found: readonly Diagnosis[]): void {
  const report = {
    roomctl: version,
    node,
    system: `${platform}-${arch}`,
    made_at: session.runtime.now().toISOString(),
    profile: session.resolved.name,
    settings: settingRows(session.resolved)
      .filter(({key, source}) => source !== 'default' && !ownLimits.has(key))
      .map(({key, value, source}) => ({key, value, source})),
    checks: found,
  }
  const shown = shortened(session.secrets.maskIn(report), session.runtime.home)
  // Masked and shortened, every member keeps its place.
  const masked = shown as typeof report
  writePrivate(path, path.endsWith('.json') ? `${JSON.stringify(masked, null, 2)}\n` : textOf(masked, session))
}

type Report = Readonly<Record<'roomctl' | 'node' | 'system' | 'made_at' | 'profile', string>> & {
  readonly settings: readonly {readonly key: string; readonly value: unknown; readonly source: string}[]
  readonly checks: readonly Diagnosis[]
}

function textOf({roomctl, node: runs, system, made_at, profile, settings, checks}: Report, {view}: Session): string {
  const lines = [
    `roomctl ${roomctl}, Node ${runs}, ${system}, ${made_at}`,
    '',
    `Profile ${profile}`,
    ...settings.map(({key, value, source}) => `  ${key} = ${safeText(value)} (${source})`),
    '',
    `Checks: ${diagnosisSummary(checks)}`,
    diagnosisText(checks, {...view, style: noStyle, columns: undefined}),
  ]
  return `${lines.join('\n')}\n`
}

/** A value of JSON in whose texts the home folder is `~`. */
function shortened(value: unknown, home: string): unknown {
  if (typeof value === 'string') return home.length > 1 ? value.replaceAll(home, '~') : value
  if (Array.isArray(value)) return value.map((one) => shortened(one, home))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, home)]))
}

/** Shows what was found, and ends the command with 15 where anything was: a warning counts as well (product §3). */
export async function presentDiagnosis(session: Session, found: readonly Diagnosis[]): Promise<void> {
  const masked = found.map((one) => session.secrets.maskIn(one) as Diagnosis) // every member keeps its type
  const {format, columns, sort, header} = session.output
  const plainly = format === 'table' && columns === undefined && sort === undefined && header
  if (plainly && session.runtime.stdout.isTerminal) await presentText(session, diagnosisText(masked, session.view))
  else await presentList(session, masked, diagnosisList)
  if (format === 'table') session.warn(diagnosisSummary(masked))
  if (found.some(({state}) => state !== 'ok')) session.endWith('found')
}
