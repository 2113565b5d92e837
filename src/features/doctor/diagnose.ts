import {arch, version as node, platform} from 'node:process'
import {isSea} from 'node:sea'
import {services} from '../../api/contract/operation.js'
import type {OutputFile, OutputKind} from '../../cli/output/outputFile.js'
import {presentList, presentText} from '../../cli/output/present.js'
import {type CommandContext, type Runtime, withMembers} from '../../cli/runtime/runtime.js'
import {type CommonFlags, openSession, type Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import {mapTexts} from '../../redaction/secrets.js'
import {currentUser} from '../../storage/disk/privateFile.js'
import {places} from '../../storage/profile/resolve.js'
import {noStyle, safeText} from '../../text/text.js'
import {
  type Diagnosis,
  diagnosisList,
  diagnosisSummary,
  diagnosisText,
  fail,
  hint,
  ok,
  warn,
} from '../../view/system/doctor.js'
import type {RouteRow} from '../../view/system/settings.js'
import {routeRows} from '../config/routes.js'
import {settingRows} from '../config/settings.js'
import {checkKeptFiles, inspectProfile, readUploads} from './files.js'
import {checkService} from './service.js'

interface DoctorFlags {
  readonly 'state-dir'?: string | undefined
  readonly route?: readonly string[] | undefined
  readonly container?: string | undefined
}

/** All findings: `found` (this machine), uploads and services; fixes name the profile. */
export async function diagnose(
  session: Session,
  found: readonly Diagnosis[],
  flags: DoctorFlags,
): Promise<Diagnosis[]> {
  const uploads = await readUploads(session, flags['state-dir'])
  const services = await checkServices(session, flags)
  const all = [...found, uploads, ...services]
  return all.map((one) => ({...one, fix: one.fix === null ? null : session.advise(one.fix)}))
}

/** Checks routes and services, in parallel and with reads alone. Raises a Failure (interrupted). */
async function checkServices(session: Session, {route = [], container}: DoctorFlags): Promise<Diagnosis[]> {
  const {resolved} = session
  const used = resolved.isSandbox
    ? services
    : services.filter((service) => resolved.values[`${service}.url`] !== undefined)
  if (used.length === 0) return [noServices(session)]
  const {rows, found} = await routesOf(session, route, new Set(used))
  const each = await Promise.all(services.map((one) => checkService(session, one, container)))
  return [...found, ...prefixOf(session, rows), ...each.flat()]
}

function noServices({resolved}: Session): Diagnosis {
  const what = resolved.exists ? `profile ${resolved.name} has no service address` : `unknown profile ${resolved.name}`
  const advice = 'roomctl config init, or add -p sandbox to try the tool'
  return warn('services', `${what}, and no environment variable gives one`, advice)
}

async function routesOf(session: Session, texts: readonly string[], used: ReadonlySet<string>) {
  try {
    const rows = await routeRows(session.resolved, texts)
    return {rows, found: checkRoutes(rows, used)}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const {message, why, try: advice} = error.facts
    const what = why === undefined ? message : `${message} (${why})`
    return {rows: [], found: [fail('routes', what, advice ?? 'roomctl config route list shows every id')]}
  }
}

function prefixOf({resolved}: Session, rows: readonly RouteRow[]): Diagnosis[] {
  const text = resolved.values['room.url']
  if (resolved.isSandbox || text === undefined || !URL.canParse(text)) return []
  const row = rows.find(({operation}) => operation === 'room.update')
  const found = checkMediaPrefix(new URL(text), row)
  return found ? [found] : []
}

const defaultTimeout = '5s'

/** Opens a session even with a broken profile, which counts as none, or without its settings. Raises errors in flags and variables. */
export async function openForDoctor(
  {runtime: whole, outcome}: CommandContext,
  flags: CommonFlags,
): Promise<{readonly session: Session; readonly found: Diagnosis[]}> {
  let session: Session | undefined
  // A token command that waits for input is reported as late, and must then end.
  const run: Runtime['run'] = (command) => whole.run(command, (session?.resolved.values.timeout ?? 0) + 1000)
  const runtime = withMembers(whole, {run})
  const {config, state} = places(runtime.env, runtime.home, runtime.platform)
  // Before the session is opened: that fixes modes and repairs a damaged profile.
  const {file, found: profile} = inspectProfile(config)
  const found = [program(), profile, ...checkKeptFiles({config, state}, currentUser())]
  const own = {...flags, timeout: flags.timeout ?? defaultTimeout, retries: '0'}
  try {
    session = concealTokens(await openSession(runtime, outcome, own, {file}))
    return {session, found}
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.exit !== 'configuration') throw error
    session = concealTokens(await openSession(runtime, outcome, own, {file, editing: true}))
    return {session, found: [...found, fail('settings', error.message, error.facts.try ?? 'roomctl config list')]}
  }
}

function program(): Diagnosis {
  const form = isSea() ? 'single file' : 'npm package'
  return ok('program', `${form}, Node ${node}, ${platform}-${arch}`, {form})
}

/** Registers all tokens for masking before the first output. */
function concealTokens(session: Session): Session {
  const {resolved, secrets} = session
  for (const service of services) {
    const stored = resolved.credential(service)
    for (const token of [resolved.envToken(service), stored?.store === 'file' ? stored.token : undefined]) {
      if (token !== undefined) secrets.add(token)
    }
  }
  return session
}

const routesCheck = 'routes'

/**
 * Undocumented and configured routes. Only a call shows whether a guess is right, and its failure names the setting (product §9): no
 * finding.
 */
export function checkRoutes(rows: readonly RouteRow[], used: ReadonlySet<string>): Diagnosis[] {
  const assumed = rows.filter(({operation, source}) => source === 'assumed' && used.has(serviceOf(operation)))
  const set = rows.filter(({source}) => source !== 'assumed' && source !== 'documented').map(({operation}) => operation)
  const words = set.length === 0 ? '' : `; set: ${set.join(', ')}`
  const details = {assumed: assumed.map(({operation}) => operation), set}
  if (assumed.length === 0) return [ok(routesCheck, `all routes are documented or set${words}`, details)]
  const what = `${assumed.length} routes are guesses (undocumented)${words}`
  const advice = "if one returns 404 or 405: roomctl config route set ID 'METHOD /path' (roomctl config route list)"
  return [hint(routesCheck, what, advice, details)]
}

function serviceOf(operation: string): string {
  const topic = operation.split('.')[0] ?? ''
  return topic === 'asset' || topic === 'push' ? topic : 'room'
}

/** The document shows room update with the media prefix, which most addresses already have (product §9). */
export function checkMediaPrefix(base: URL, row: RouteRow | undefined): Diagnosis | undefined {
  const prefix = base.pathname.replace(/\/$/u, '')
  if (row?.source !== 'documented' || prefix === '' || !row.path.startsWith(`${lastPart(prefix)}/`)) return undefined
  const short = row.path.slice(lastPart(prefix).length)
  const what = `room update goes to ${prefix}${row.path}: both the documented path and the address have the prefix`
  const advice = `if it returns 404: roomctl config route set room.update '${row.method} ${short}'; otherwise set '${row.method} ${row.path}' to silence this hint`
  return warn('room update', what, advice, {method: row.method, path: `${prefix}${row.path}`})
}

function lastPart(prefix: string): string {
  return prefix.slice(prefix.lastIndexOf('/'))
}

/** doctor has its own limits, which other commands do not use. */
const ownLimits: ReadonlySet<string> = new Set(['timeout', 'retries'])

export const reportKind: OutputKind = {what: 'report', starts: [/^roomctl \S+, Node /u, /^\{\n {2}"roomctl": "/u]}

/** Writes a private report, JSON if it is named so. Tokens are masked and the home folder is `~`; host and profile names are kept. */
export async function writeReport(
  file: OutputFile,
  session: Session,
  version: string,
  found: readonly Diagnosis[],
): Promise<void> {
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
  const {home} = session.runtime
  const shorten = (text: string) => (home.length > 1 ? text.replaceAll(home, '~') : text)
  const masked = mapTexts(session.secrets.maskIn(report), shorten) as typeof report
  await file.write(file.path.endsWith('.json') ? `${JSON.stringify(masked, null, 2)}\n` : reportText(masked, session))
}

type Report = Readonly<Record<'roomctl' | 'node' | 'system' | 'made_at' | 'profile', string>> & {
  readonly settings: readonly {readonly key: string; readonly value: unknown; readonly source: string}[]
  readonly checks: readonly Diagnosis[]
}

function reportText(
  {roomctl, node: runs, system, made_at, profile, settings, checks}: Report,
  {view}: Session,
): string {
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

/** Prints the findings; exits with 15 if there is a warning or an error (product §3). */
export async function presentDiagnosis(session: Session, found: readonly Diagnosis[]): Promise<void> {
  const masked = found.map((one) => session.secrets.maskIn(one) as Diagnosis)
  const {format, columns, sort, header} = session.output
  const plainly = format === 'table' && columns === undefined && sort === undefined && header
  if (plainly && session.runtime.stdout.isTerminal) await presentText(session, diagnosisText(masked, session.view))
  else await presentList(session, masked, diagnosisList)
  if (format === 'table') session.warn(diagnosisSummary(masked))
  if (found.some(({state}) => state !== 'ok')) session.endWith('found')
}
