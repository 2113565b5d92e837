import {Command} from '@oclif/core/command'
import type {ProfileFile} from '../../storage/profile/file.js'
import {localFlags, serviceFlags} from '../flags/flags.js'
import {commandContextOf} from '../runtime/runtime.js'
import {type CommonFlags, openSession, type Session} from '../session/session.js'

/**
 * The base of every command: it opens the session. Whatever a command throws reaches the error handler in run.ts, so
 * nothing is caught here.
 */
export abstract class LocalCommand extends Command {
  static override baseFlags = localFlags

  /** Settles the settings of this run from its parsed flags. `editing`: the profile's own settings play no part. */
  protected open(flags: CommonFlags, options: {editing?: boolean; file?: ProfileFile} = {}): Promise<Session> {
    const {runtime, outcome} = commandContextOf(this.config)
    return openSession(runtime, outcome, flags, options)
  }

  /** oclif would print the error, and the command with it. */
  protected override catch(error: Error): Promise<never> {
    return Promise.reject(error)
  }
}

/** The base of the commands that call a service. */
export abstract class RoomctlCommand extends LocalCommand {
  static override baseFlags = serviceFlags
}
