import {setMaxListeners} from 'node:events'
import type {InferredFlags} from '@oclif/core/interfaces'
import {type Advice, adviceText} from '../../advice.js'
import type {Api} from '../../api/client/api.js'
import {services} from '../../api/contract/operation.js'
import {type Exit, failureJson, failureWith, wrongUsage} from '../../failure.js'
import type {Secrets} from '../../redaction/secrets.js'
import {type Profile, type ProfileFile, tokensIn} from '../../storage/profile/file.js'
import {openProfileIfAllowed, type Resolved, resolveProfile, userPaths} from '../../storage/profile/resolve.js'
import {hasColor, isAccessible, isOn} from '../../terminal/output.js'
import {counted, noStyle, type Style, safeText, someOf, styleOf} from '../../text/text.js'
import {checkLocalZone, shortTimes, timeStyle} from '../../text/time.js'
import type {ViewContext} from '../../view/format/columns.js'
import type {Format, OutputOptions} from '../../view/format/output.js'
import {adviceFor} from '../errors/advice.js'
import type {applicationFlags, requesterFlags, rowFlags, serviceFlags, timeFlags} from '../flags/flags.js'
import {type CommandOutcome, isMachineFormat, overlay, type Runtime} from '../runtime/runtime.js'
import {openServiceClients} from './serviceClients.js'
import {Waiting} from './waiting.js'

export type CommonFlags = Partial<
  InferredFlags<
    typeof serviceFlags & typeof rowFlags & typeof timeFlags & typeof requesterFlags & typeof applicationFlags
  >
> & {readonly 'biz-id'?: string | undefined; readonly 'dry-run'?: boolean}

export interface Session extends Pick<CommandOutcome, 'warn' | 'warnOnce' | 'progress' | 'endWith'> {
  readonly runtime: Runtime
  readonly resolved: Resolved
  readonly paths: ReturnType<typeof userPaths>
  readonly secrets: Secrets
  readonly api: Api
  /** The session for a run of that many calls: Ctrl-C lets pending calls finish. */
  readonly forRun: (calls: number) => Session
  /** The changes that were sent and not answered, in words. */
  readonly underWay: Set<() => string>
  readonly waiting: Waiting
  readonly output: OutputOptions
  readonly view: ViewContext
  /** Styles for stderr. */
  readonly style: Style
  readonly debug: boolean
  readonly mayAsk: boolean
  /** The command shows its request and sends none. */
  readonly isPreview: boolean
  /** The advice with the profile, if the command line named it. */
  readonly advise: (advice: Advice) => Advice
  /** The output files that flags name, with stdout as `-`, and their flags (cli/output/outputFile.ts). */
  readonly outputs: Map<string, string>
}

/**
 * Resolves the settings of one command (flag > env > profile > default); services open lazily. `editing`: the settings of the
 * profile are ignored, so that a command can correct them. `file`: the profile file, if it was read already. `dataFolder`: another folder
 * of the sandbox.
 */
export async function openSession(
  runtime: Runtime,
  outcome: CommandOutcome,
  flags: CommonFlags,
  options: {readonly editing?: boolean; readonly file?: ProfileFile; readonly dataFolder?: string | undefined} = {},
): Promise<Session> {
  const {env, secrets} = runtime
  const debug = flags.debug === true || isOn(env.ROOMCTL_DEBUG)
  outcome.settle({debug})

  const paths = userPaths(env, runtime.home, runtime.platform)
  const {file, unread} = await settingsFile(paths.config, options)
  const resolved = resolveProfile({flags: settingFlags(flags), env, file, unread})
  addTokens(secrets, file, resolved)
  const format = formatOf(flags, resolved)
  const machine = isMachineFormat(format)
  const profile = resolved.nameSource === 'flag' ? resolved.name : undefined
  const level = ({isTerminal}: {readonly isTerminal: boolean}) => flagLevel(isTerminal, flags, env)
  const style = await styleOf(level(runtime.stderr))
  const plain = isAccessible(env)
  outcome.settle({machine, profile, isInEnvironment: resolved.isInEnvironment, style, plain})

  const {warn, warnOnce, progress, endWith} = outcome
  const {tz} = resolved.values
  const utc = tz === 'utc'
  if (tz === undefined || tz === 'local') checkLocalZone(env.TZ)
  const columns = plain ? undefined : runtime.stdout.columns
  const now = runtime.now()
  const view: ViewContext = {
    style: format === 'table' ? await styleOf(level(runtime.stdout)) : noStyle,
    columns,
    plain,
    time: timeStyle({terminal: runtime.stdout.isTerminal, utc, tz}),
    shortTime: columns === undefined || utc || tz ? undefined : shortTimes(now),
    exactTime: utc || tz ? timeStyle({terminal: false, utc, tz}) : undefined,
    now,
    note: (text) => warn(style.dim(text)),
  }
  outcome.settle({time: timesInSentences(view, outcome.mode)})
  const waiting = new Waiting(runtime, progress, !machine)
  const dataFolder = options.dataFolder ?? paths.sandbox
  const open = openServiceClients({runtime, resolved, dataFolder, outcome, waiting})
  let api: Api | undefined
  const session: Session = {
    runtime,
    resolved,
    paths,
    secrets,
    get api() {
      api ??= open()
      return api
    },
    forRun: (calls) => overlay(session, {api: open(calls)}),
    underWay: changesUnderWay(runtime, format),
    waiting,
    output: outputOptions(flags, format, runtime.stdout.isTerminal),
    view,
    style,
    debug,
    isPreview: flags['dry-run'] === true,
    get mayAsk() {
      return flags['no-input'] !== true && !machine && runtime.ask.available
    },
    warn,
    warnOnce,
    progress,
    outputs: new Map(),
    advise: (advice) => adviceFor(advice, outcome.mode),
    endWith,
  }
  return session
}

/** As in tables. The trace of --debug stays as it was sent. */
function timesInSentences(
  {shortTime, time}: ViewContext,
  {debug, machine}: CommandOutcome['mode'],
): ViewContext['shortTime'] {
  return debug || machine ? undefined : (shortTime ?? time)
}

function flagLevel(isTTY: boolean, flags: CommonFlags, env: Runtime['env']) {
  const color = flags.color as 'auto' | 'always' | 'never' | undefined
  return hasColor({isTTY}, {env, ...(color ? {flag: color} : {})})
}

/** `--query` implies JSON unless a format is set. */
function formatOf({query}: CommonFlags, {source, values}: Resolved): Format {
  return query !== undefined && source('output') === 'default' ? 'json' : values.output
}

function outputOptions(flags: CommonFlags, format: Format, isTerminal: boolean): OutputOptions {
  return {
    format,
    header: flags['no-header'] !== true,
    bom: hasByteOrderMark(flags, format),
    pager: flags['no-pager'] !== true,
    ...(flags.columns === undefined ? {} : {columns: splitList(flags.columns)}),
    ...(flags.sort === undefined ? {} : {sort: flags.sort}),
    ...(flags.query === undefined ? {} : {query: flags.query}),
    ...(flags.raw ? {raw: isTerminal ? 'safe' : 'exact'} : {}),
  }
}

/** Throws Failure (usage) for a format that is not csv. */
function hasByteOrderMark({bom}: CommonFlags, format: Format): boolean {
  if (!bom || format === 'csv') return bom === true
  throw wrongUsage(`--bom cannot be used with -o ${format}`, {try: 'use -o csv, or omit --bom'})
}

function settingFlags(flags: CommonFlags) {
  const fromFlags = {
    profile: flags.profile,
    output: flags.json ? 'json' : flags.quiet ? 'ids' : flags.output,
    tz: flags.tz,
    timeout: flags.timeout,
    retries: flags.retries,
    caFile: flags['ca-file'],
    applicationId: flags['application-id'],
    bizId: flags['biz-id'],
    requester: flags.as,
    readOnly: flags['read-only'] ? 'true' : undefined,
  }
  return Object.fromEntries(Object.entries(fromFlags).filter(([, value]) => value !== undefined))
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** Also those of other profiles: a service may repeat what it was once sent. */
function addTokens(secrets: Secrets, file: ProfileFile, {envToken}: Resolved): void {
  for (const token of [...tokensIn(file), ...services.map(envToken)]) secrets.add(token ?? '')
}

/** The profile file, or `file`. `editing`: without the settings of its profiles, but with credentials. */
async function settingsFile(
  folder: string,
  {editing, file}: {readonly editing?: boolean; readonly file?: ProfileFile},
): ReturnType<typeof openProfileIfAllowed> {
  const opened = file ? {file} : await openProfileIfAllowed(folder)
  if (!editing) return opened
  const {profiles, ...rest} = opened.file
  const bare = Object.entries(profiles).map(([name, profile]) => [name, withoutSettings(profile)])
  return {...opened, file: {...rest, profiles: Object.fromEntries(bare)}}
}

function withoutSettings({credentials, allowHttp}: Profile): Profile {
  return {
    ...(credentials ? {credentials} : {}),
    ...(allowHttp === undefined ? {} : {allowHttp}),
  }
}

/** More changes are counted. */
const mostNamed = 5

/** How the second signal ends a command, in words. */
const endings: Readonly<Partial<Record<Exit, string>>> = {hungUp: 'the terminal was closed', terminated: 'terminated'}

/**
 * The changes that were sent and not answered. When the second signal ends the process, one write names them; the journal has them as
 * unknown.
 */
function changesUnderWay({leaving, stderr, interruption}: Runtime, format: string): Set<() => string> {
  const changes = new Set<() => string>()
  const say = () => {
    if (changes.size === 0) return
    const exit = interruption() ?? 'interrupted'
    const named = Array.from(changes, (describe) => safeText(describe()))
    const what = `${counted(changes.size, 'change')} may have been made: ${someOf(named, mostNamed)}`
    const message = `${endings[exit] ?? 'interrupted'}; ${what}`
    const advice: Advice = {command: ['history', '--outcome', 'unknown']}
    const failure = failureWith(exit, message, {try: advice, outcome: 'unknown'})
    const text = isMachineFormat(format)
      ? JSON.stringify({error: failureJson(failure)})
      : `error: ${message}; see: ${adviceText(advice)}`
    // As far as the reader takes it, the text is out before the process exits.
    void stderr.write(`${text}\n`)
  }
  // Each change listens to it, and Node warns of more than ten listeners.
  setMaxListeners(0, leaving)
  leaving.addEventListener('abort', say, {once: true})
  return changes
}
