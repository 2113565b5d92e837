import {arch, version as node, platform} from 'node:process'
import {isSea} from 'node:sea'
import {type Advice, adviceText} from '../../advice.js'
import {services} from '../../api/contract/operation.js'
import {presentList, presentText} from '../../cli/output/present.js'
import {type CommandContext, overlay, type Runtime} from '../../cli/runtime/runtime.js'
import {type CommonFlags, openSession, type Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import {userPaths} from '../../storage/profile/resolve.js'
import {
  type Diagnosis,
  diagnosisList,
  diagnosisSummary,
  diagnosisText,
  fail,
  ok,
  warn,
} from '../../view/system/doctor.js'
import {inspectLeftovers, inspectProfile} from './files.js'
import {checkService} from './service.js'

/** The findings of each service, in parallel and by reads alone, after those of this machine; fixes name the profile. */
export async function diagnose(
  session: Session,
  diagnoses: readonly Diagnosis<Advice>[],
  container: string | undefined,
): Promise<Diagnosis[]> {
  const {resolved} = session
  const isAnyUsed = resolved.isSandbox || services.some((service) => resolved.values[`${service}.url`] !== undefined)
  const each = isAnyUsed
    ? await Promise.all(services.map((service) => checkService(session, service, container)))
    : [noServices(session)]
  const all = [...diagnoses, ...each]
  return all.map((diagnosis) => ({
    ...diagnosis,
    fix: diagnosis.fix === null ? null : adviceText(session.advise(diagnosis.fix)),
  }))
}

function noServices({resolved}: Session): Diagnosis<Advice> {
  const missing = resolved.name === 'default' ? 'no profile is set up' : `unknown profile ${resolved.name}`
  const what = resolved.exists ? `profile ${resolved.name} has no service address` : missing
  const advice: Advice = {sentence: 'add -p sandbox to try the tool, or', command: ['config init']}
  return warn('services', `${what}, and no environment variable gives an address`, advice)
}

const defaultTimeout = '5s'

/** Opens a session even with a broken profile, which counts as none, or without its settings. Throws errors in flags and variables. */
export async function openForDoctor(
  {runtime: whole, outcome}: CommandContext,
  flags: CommonFlags,
): Promise<{readonly session: Session; readonly diagnoses: Diagnosis<Advice>[]}> {
  let session: Session | undefined
  // A token command that waits for input is reported as late, and must then end.
  const run: Runtime['run'] = (command) => whole.run(command, (session?.resolved.values.timeout ?? 0) + 1000)
  const runtime = overlay(whole, {run})
  const {config, state} = userPaths(runtime.env, runtime.home, runtime.platform)
  // Before the session is opened: that fixes modes.
  const {file, diagnoses: profile} = inspectProfile(config)
  const form = isSea() ? 'single file' : 'npm package'
  const program = ok('program', `${form}, Node ${node}, ${platform}-${arch}`, {form})
  const diagnoses = [program, ...profile, ...inspectLeftovers(state)]
  const own = {...flags, timeout: flags.timeout ?? defaultTimeout, retries: '0'}
  try {
    session = await openSession(runtime, outcome, own, {file})
    return {session, diagnoses}
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.exit !== 'configuration') throw error
    session = await openSession(runtime, outcome, own, {file, editing: true})
    return {
      session,
      diagnoses: [...diagnoses, fail('settings', error.message, error.facts.try ?? {command: ['config list']})],
    }
  }
}

/** Prints the findings; exits with 15 if there is a warning or an error. */
export async function presentDiagnosis(session: Session, diagnoses: readonly Diagnosis[]): Promise<void> {
  const masked = diagnoses.map((diagnosis) => session.secrets.maskIn(diagnosis) as Diagnosis)
  const {format, columns, sort, header} = session.output
  const plainly = format === 'table' && columns === undefined && sort === undefined && header
  if (plainly && session.runtime.stdout.isTerminal) await presentText(session, diagnosisText(masked, session.view))
  else await presentList(session, masked, diagnosisList)
  if (format === 'table') session.warn(diagnosisSummary(masked))
  if (diagnoses.some(({state}) => state !== 'ok')) session.endWith('found')
}
