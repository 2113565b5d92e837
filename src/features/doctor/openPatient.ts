import type {CommandContext} from '../../cli/app/commandContext.js'
import type {Runtime} from '../../cli/runtime/runtime.js'
import {type CommonFlags, openSession, type Session} from '../../cli/session/session.js'
import {ProfileProblem} from '../../storage/profile/problem.js'
import type {Diagnosis} from '../../view/tool/doctor.js'
import {fail} from './checks/finding.js'
import {checkMachine} from './checks/machine.js'

/** How long one check may take, where --timeout does not say. */
const usualTimeout = '5s'

/**
 * Opens a session on whatever there is: a profile that cannot be read counts as none, and one with a wrong setting as one without
 * settings. `found` says so, and all else about this machine. Raises what is wrong with flags and variables.
 */
export async function openPatient(
  {runtime: whole, outcome}: CommandContext,
  flags: CommonFlags,
): Promise<{readonly session: Session; readonly found: Diagnosis[]}> {
  let session: Session | undefined
  // A program that waits for somebody is told of as late, and then ended: it would keep this one.
  const run: Runtime['run'] = (command) => whole.run(command, (session?.resolved.values.timeout ?? 0) + 1000)
  const runtime: Runtime = Object.create(whole, {run: {value: run}})
  const {file, found} = checkMachine(runtime)
  const own = {...flags, timeout: flags.timeout ?? usualTimeout, retries: '0'}
  try {
    session = known(await openSession(runtime, outcome, own, {file}))
    return {session, found}
  } catch (error) {
    if (!(error instanceof ProfileProblem) || error.kind !== 'configuration') throw error
    session = known(await openSession(runtime, outcome, own, {file, editing: true}))
    return {session, found: [...found, fail('settings', error.message, error.advice ?? 'roomctl config list')]}
  }
}

/** Makes every token known that could turn up anywhere, before a first line is shown. */
function known(session: Session): Session {
  const {resolved, secrets} = session
  for (const service of ['room', 'asset', 'push'] as const) {
    const stored = resolved.credential(service)
    for (const token of [resolved.envToken(service), stored?.store === 'file' ? stored.token : undefined]) {
      if (token !== undefined) secrets.add(token)
    }
  }
  return session
}
