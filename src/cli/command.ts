import {Command} from '@oclif/core/command'
import {serviceFlags} from './flags.js'
import {type CommonFlags, openSession, type Session} from './session.js'
import {stationOf} from './station.js'

/**
 * The base of every command that talks to a service: it opens the session. Whatever a command throws leaves by the
 * one door in run.ts, so nothing is caught here.
 */
export abstract class RoomctlCommand extends Command {
  static override baseFlags = serviceFlags

  /** Settles the settings of this run from its parsed flags. */
  protected open(flags: CommonFlags): Session {
    const {runtime, door} = stationOf(this.config)
    return openSession(runtime, door, flags)
  }

  /** oclif would print the error, and the command with it. */
  protected override catch(error: Error): Promise<never> {
    return Promise.reject(error)
  }
}
