import type {Interface} from 'node:readline'
import {Writable} from 'node:stream'
import {isPlain} from './color.js'
import {type Choice, Interrupted, type Questions, type Streams} from './questions.js'

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

/** Questions as plain lines, for a screen reader or a terminal without a cursor: nothing is ever drawn again. */
export function plainQuestions(streams: Streams): Questions {
  const say = (line: string): undefined => {
    streams.stderr.write(`${line}\n`)
  }
  return {
    confirm: (question) =>
      until(async () => {
        const answer = (await readLine(streams, `${question} [y/N]`)).trim().toLowerCase()
        if (['', 'n', 'no'].includes(answer)) return {value: false}
        if (['y', 'yes'].includes(answer)) return {value: true}
        return say('Answer y or n.')
      }),
    text: (question, {initial, check} = {}) =>
      until(async () => {
        const typed = await readLine(
          streams,
          initial === undefined ? `${bare(question)}:` : `${bare(question)} [${initial}]:`,
        )
        const answer = typed === '' && initial !== undefined ? initial : typed
        const verdict = check?.(answer) ?? true
        if (verdict === true) return {value: answer}
        return say(verdict)
      }),
    secret: (question) => readHidden(streams, `${bare(question)} (not shown):`),
    choose: (question, choices) => {
      say(question)
      for (const [i, {name, description}] of choices.entries()) {
        say(`  ${i + 1}. ${description ? `${name} - ${description}` : name}`)
      }
      return until(async () => {
        const answer = await readLine(streams, `Number (1-${choices.length}):`)
        const chosen = /^\d+$/.test(answer.trim()) ? choices[Number(answer) - 1] : undefined
        if (chosen) return {value: chosen.value}
        return say('Answer with one of the numbers.')
      })
    },
  }
}

/** Asks again until there is an answer that will do. */
async function until<T>(ask: () => Promise<{readonly value: T} | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer) return answer.value
  }
}

/** One line, edited and echoed by the terminal itself; there Ctrl-C is a signal. */
async function readLine({stdin, stderr, signal}: Streams, question: string): Promise<string> {
  const {createInterface} = await import('node:readline')
  const reader = createInterface({input: stdin, terminal: false})
  try {
    return await firstLine(reader, signal, () => stderr.write(`${question} `))
  } catch (error) {
    // For a signal the runtime ends the line.
    if (!signal.aborted) stderr.write('\n')
    throw error
  } finally {
    reader.close()
  }
}

/** One line that is neither echoed nor drawn: the reader takes over the keys, Ctrl-C among them, and draws into nothing. */
async function readHidden({stdin, stderr, signal}: Streams, question: string): Promise<string> {
  const {createInterface} = await import('node:readline')
  const nowhere = new Writable({write: (_text, _encoding, done) => done()})
  const reader = createInterface({input: stdin, output: nowhere, terminal: true, historySize: 0})
  try {
    return await firstLine(reader, signal, () => stderr.write(`${question} `))
  } finally {
    reader.close()
    stderr.write('\n')
  }
}

/**
 * The next line, or Interrupted when the reader meets Ctrl-C, the signal comes or the input ends. The question is shown only when
 * everything listens, so that not even a very quick answer is echoed or lost.
 */
function firstLine(reader: Interface, signal: AbortSignal, show: () => void): Promise<string> {
  let interrupt = () => {}
  const answer = new Promise<string>((resolve, reject) => {
    interrupt = () => reject(new Interrupted())
    if (signal.aborted) interrupt()
    signal.addEventListener('abort', interrupt, {once: true})
    reader.once('SIGINT', interrupt)
    reader.once('close', interrupt)
    reader.once('line', resolve)
  })
  show()
  return answer.finally(() => signal.removeEventListener('abort', interrupt))
}

/** A question without the colon that its own would follow. */
function bare(question: string): string {
  return question.replace(/:$/u, '')
}

/** More choices than this are found by typing a part of the name. */
const mostToScroll = 15

/** What inquirer calls the end of a question by Ctrl-C, and by our own signal. */
const interruptions = new Set(['ExitPromptError', 'AbortPromptError'])

/** Questions by @inquirer/prompts, which is loaded with the first of them. */
export function promptQuestions(streams: Streams): Questions {
  return {
    confirm: async (message) => {
      const {confirm} = await import('@inquirer/prompts')
      return answered(streams, (context) => confirm({message, default: false}, context))
    },
    text: async (message, {initial, check} = {}) => {
      const {input} = await import('@inquirer/prompts')
      const config = {message, ...(initial !== undefined && {default: initial}), ...(check && {validate: check})}
      return answered(streams, (context) => input(config, context))
    },
    secret: async (message) => {
      const {password} = await import('@inquirer/prompts')
      const config = {message, toggleMask: false, theme: {style: {maskedText: ''}}}
      return answered(streams, (context) => password(config, context))
    },
    choose: async (message, choices) => {
      const {search, select} = await import('@inquirer/prompts')
      const pageSize = mostToScroll
      if (choices.length <= mostToScroll) {
        return answered(streams, (context) => select({message, choices, pageSize, loop: false}, context))
      }
      const source = (term: string | undefined) => choices.filter((choice) => matches(choice, term ?? ''))
      return answered(streams, (context) => search({message, source, pageSize}, context))
    },
  }
}

function matches<T>({name, description = ''}: Choice<T>, term: string): boolean {
  return `${name} ${description}`.toLowerCase().includes(term.trim().toLowerCase())
}

interface PromptContext {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/**
 * Asks on stderr. Ctrl-D and a terminal that goes away close inquirer's reader without an answer, and its promise would
 * stay open until the process ends for lack of work; the reader pauses stdin when it closes, and that ends the question.
 */
async function answered<T>({stdin, stderr, signal}: Streams, ask: (context: PromptContext) => Promise<T>): Promise<T> {
  const gone = new AbortController()
  const onPause = () => setImmediate(() => gone.abort())
  stdin.once('pause', onPause)
  try {
    return await ask({input: stdin, output: stderr, signal: AbortSignal.any([gone.signal, signal])})
  } catch (error) {
    throw error instanceof Error && interruptions.has(error.name) ? new Interrupted() : error
  } finally {
    stdin.off('pause', onPause)
  }
}
