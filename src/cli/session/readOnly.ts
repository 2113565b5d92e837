import {Failure} from '../../api/contract/failure.js'
import type {Resolved, SettingSource} from '../../storage/profile/resolve.js'
import type {Runtime} from '../runtime/runtime.js'

/** What forbids changes from outside the profile, where nothing advises how to allow them. */
const outside: Partial<Record<SettingSource, string>> = {env: 'ROOMCTL_READ_ONLY', flag: '--read-only'}

/** Whom the refusal is for, and the setting. */
export interface WriteGuard {
  readonly resolved: Resolved
  readonly runtime: Pick<Runtime, 'ask'>
}

/** Raises a Failure (unconfirmed) for a change if the profile, the environment or the command line forbids changes. */
export function assertWritable({resolved, runtime}: WriteGuard): void {
  if (!resolved.values.readOnly) return
  const forbidding = outside[resolved.source('readOnly')]
  throw new Failure({
    exit: 'unconfirmed',
    code: 'read-only',
    ...(forbidding === undefined
      ? {
          message: `profile ${resolved.name} is read-only; nothing was sent`,
          why: 'a read-only profile sends no changes',
          try: runtime.ask.available
            ? `use another profile with -p, or roomctl config set readOnly false -p ${resolved.name}`
            : undefined,
        }
      : {message: `${forbidding} forbids every change; nothing was changed`}),
  })
}

/** The same for what a read-only profile allows, as it sends nothing: the sandbox, and the uploads of this machine. */
export function assertLocallyWritable(guard: WriteGuard): void {
  if (guard.resolved.source('readOnly') !== 'profile') assertWritable(guard)
}
