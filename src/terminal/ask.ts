import {isPlain} from './accessible.js'
import {plainQuestions} from './plain.js'
import {promptQuestions} from './prompts.js'
import {Interrupted, type Questions, type Streams} from './questions.js'

export {Interrupted}

/** Questions to the person at the terminal. All text that is shown must already be safe. */
export interface Ask extends Questions {
  /** False when nobody can be asked; then asking is a mistake of the program, and every question is refused. */
  readonly available: boolean
}

/**
 * Questions on stderr, answered on stdin (product §5: stdout carries the result only). Available when both are terminals,
 * CI is not set, and ROOMCTL_NO_INPUT is not set: a pipe is never read as an answer. ACCESSIBLE=1, and a terminal that
 * cannot move its cursor, get plain lines and numbered choices. Ctrl-C and Ctrl-D raise Interrupted.
 */
export function terminalAsk(streams: Streams, env: Readonly<Record<string, string | undefined>>): Ask {
  const terminals = streams.stdin.isTTY === true && streams.stderr.isTTY === true
  if (!terminals || env.CI || env.ROOMCTL_NO_INPUT) return nobody
  // A terminal that goes away while it hides what is typed is an error of the stream, with nobody there to be told.
  streams.stdin.on('error', () => undefined)
  return {available: true, ...(isPlain(env) ? plainQuestions(streams) : promptQuestions(streams))}
}

const refuse = () => Promise.reject(new Error('a question was asked where nobody can answer'))

const nobody: Ask = {available: false, confirm: refuse, text: refuse, secret: refuse, choose: refuse}
