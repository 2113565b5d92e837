import type {Interface} from 'node:readline'
import {Failure} from '../failure.js'
import {hushed} from './hushed.js'
import {onEscape} from './input.js'
import {isOn, isPlain} from './output.js'
import type {PickerOptions} from './picker.js'
import {Cancelled, type Choice, Interrupted, type Questions, type Streams} from './questions.js'

/** All text that is shown must already be safe. */
export interface Ask extends Questions {
  /** If false, every question rejects. */
  readonly available: boolean
  /** Runs `work` with the echo of the terminal off: what is typed ahead may be a secret. */
  readonly hushed?: <T>(work: () => Promise<T>) => Promise<T>
  /** The variable that forbids all questions. */
  readonly forbiddenBy?: string
}

/**
 * Questions on stderr, answered on stdin: stdout carries only the result. Available if both are terminals and
 * neither CI nor ROOMCTL_NO_INPUT is set. With ACCESSIBLE=1, or without cursor control, they are plain lines with numbered
 * choices. Esc and Ctrl-D throw Cancelled, Ctrl-C throws Interrupted.
 */
export function terminalAsk(streams: Streams, env: Readonly<Record<string, string | undefined>>): Ask {
  const terminals = streams.stdin.isTTY === true && streams.stderr.isTTY === true
  const forbiddenBy = ['CI', 'ROOMCTL_NO_INPUT'].find((name) => isOn(env[name]))
  if (forbiddenBy) return {...nobody, forbiddenBy}
  if (!terminals) return nobody
  // When the terminal is closed, the stream emits an error.
  streams.stdin.on('error', () => undefined)
  return {available: true, hushed, ...(isPlain(env) ? plainQuestions(streams) : promptQuestions(streams))}
}

/** Why roomctl cannot ask. */
export function whyUnasked({forbiddenBy}: Ask): string {
  return forbiddenBy
    ? `${forbiddenBy} is set, so roomctl does not ask`
    : 'not a terminal (or --no-input or a format such as json is set), so roomctl cannot ask'
}

/** The failure for an answer that is missing; its reason names the variable that forbids the question. */
export function unasked({ask}: {readonly ask: Ask}, failure: Failure): Failure {
  if (!ask.forbiddenBy) return failure
  const {why} = failure.facts
  return new Failure({...failure.facts, why: why === undefined ? whyUnasked(ask) : `${why}, and ${whyUnasked(ask)}`})
}

const refuse = () => Promise.reject(new Error('cannot ask: not a terminal'))

const nobody: Ask = {
  available: false,
  confirm: refuse,
  text: refuse,
  secret: refuse,
  choose: refuse,
  chooseSeveral: refuse,
}

/** Questions as plain lines, for a screen reader or a terminal without cursor control. */
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
        const verdict = (await check?.(answer)) ?? true
        if (verdict === true) return {value: answer}
        return say(verdict)
      }),
    secret: (question) => readHidden(streams, question),
    choose: async (question, choices) => {
      const [chosen] = await numbered(question, choices, `Number (1-${choices.length}):`, 1)
      return chosen
    },
    chooseSeveral: (question, choices) =>
      numbered(question, choices, `Numbers (1-${choices.length}, separated by spaces):`, choices.length),
  }

  async function numbered<T>(question: string, choices: readonly Choice<T>[], prompt: string, most: number) {
    say(question)
    for (const [i, {name}] of choices.entries()) say(`  ${i + 1}. ${name}`)
    return until(async () => {
      const words = (await readLine(streams, prompt)).split(/[\s,]+/u).filter((word) => word !== '')
      const chosen = [...new Set(words)].flatMap((word) =>
        /^\d+$/u.test(word) ? (choices[Number(word) - 1] ?? []) : [],
      )
      const [first, ...others] = chosen.map(({value}) => value)
      const areAll = chosen.length === new Set(words).size && chosen.length <= most
      if (chosen.length > 0 && areAll) return {value: [first, ...others] as [T, ...T[]]}
      return say(most === 1 ? 'Answer with one of the numbers.' : 'Answer with some of the numbers.')
    })
  }
}

async function until<T>(ask: () => Promise<{readonly value: T} | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer) return answer.value
  }
}

/** One line, edited and echoed by the terminal; Ctrl-C is a signal. */
async function readLine({stdin, stderr, signal}: Streams, question: string): Promise<string> {
  const {createInterface} = await import('node:readline')
  const reader = createInterface({input: stdin, terminal: false})
  try {
    return await firstLine(reader, signal, () => stderr.write(`${question} `))
  } catch (error) {
    // After a signal the runtime writes the line break.
    if (!signal.aborted) stderr.write('\n')
    throw error
  } finally {
    reader.close()
  }
}

/** One line without echo: readline reads the keys, including Ctrl-C, and writes to a null stream. */
async function readHidden({stdin, stderr, signal}: Streams, question: string): Promise<string> {
  const {createInterface} = await import('node:readline')
  const release = await onEscape(stdin, () => reader.close())
  const {Writable} = process.getBuiltinModule('node:stream')
  const nowhere = new Writable({write: (_text, _encoding, done) => done()})
  const reader = createInterface({input: stdin, output: nowhere, terminal: true, historySize: 0})
  try {
    return await firstLine(reader, signal, (isAgain) => {
      for (const name of isAgain ? clearKeys : []) reader.write(null, {ctrl: true, name})
      stderr.write(`${bare(question)} (not shown${isAgain ? '; type it again' : ''}): `)
    })
  } finally {
    release()
    reader.close()
    stderr.write('\n')
  }
}

/**
 * The next line. Cancelled for Ctrl-D or Esc; Interrupted for Ctrl-C or the signal. The question is shown after the listeners
 * are attached, so that a fast answer is not lost or echoed.
 */
async function firstLine(reader: Interface, signal: AbortSignal, show: (isAgain: boolean) => void): Promise<string> {
  let interrupt = () => {}
  const showAgain = () => {
    // After Ctrl-Z readline, if it reads keys, has paused by the next turn.
    setImmediate(() => {
      reader.resume()
      show(true)
    })
  }
  process.on('SIGCONT', showAgain)
  const answer = new Promise<string>((resolve, reject) => {
    interrupt = () => reject(new Interrupted())
    if (signal.aborted) interrupt()
    signal.addEventListener('abort', interrupt, {once: true})
    reader.once('SIGINT', interrupt)
    // A closed terminal also closes the input, but its signal arrives first.
    reader.once('close', () => setImmediate(() => reject(new Cancelled())))
    reader.once('line', resolve)
  })
  show(false)
  const line = await answer.finally(() => {
    process.off('SIGCONT', showAgain)
    signal.removeEventListener('abort', interrupt)
  })
  if (line === escapeKey) throw new Cancelled()
  return line
}

const escapeKey = '\u001b'
/** With Ctrl, they clear a line that is edited: to its end, and all before that. */
const clearKeys = ['e', 'u'] as const

function bare(question: string): string {
  return question.replace(/:$/u, '')
}

/** Inquirer's errors for Ctrl-C and for our signal. */
const interruptions = new Set(['ExitPromptError', 'AbortPromptError'])

/** An answer may be a wrong one, or no, which a green tick would not say. */
const withoutTick = {prefix: {done: '?'}}

/** Questions by inquirer, imported on first use. */
export function promptQuestions(streams: Streams): Questions {
  return {
    confirm: async (question) => {
      const {confirm} = await import('@inquirer/prompts')
      const message = await wrapped(streams, question)
      return answered(streams, (context) => confirm({message, default: false, theme: withoutTick}, context))
    },
    text: async (question, {initial, check} = {}) => {
      const {input} = await import('@inquirer/prompts')
      const config = {
        message: await wrapped(streams, question),
        theme: withoutTick,
        ...(initial !== undefined && {default: initial}),
        ...(check && {validate: check}),
      }
      return answered(streams, (context) => input(config, context))
    },
    secret: async (message) => {
      const {password} = await import('@inquirer/prompts')
      const config = {toggleMask: false, theme: {...withoutTick, style: {maskedText: ''}}}
      let shown = message
      return answered(streams, (context) => {
        const asked = password({...config, message: shown}, context)
        shown = `${bare(message)} (type it again):`
        return asked
      })
    },
    choose: async (message, choices) => {
      const [chosen] = await pickFrom(streams, {message, choices, several: false})
      return chosen
    },
    chooseSeveral: (message, choices) => pickFrom(streams, {message, choices, several: true}),
  }
}

/** Columns before a question, and behind it: `? ` and ` (y/N) Yes`. */
const markColumns = 2
const answerColumns = ' '.repeat(10)

/** The question broken between words: the terminal breaks a longer one within them. */
async function wrapped({stderr, wrap}: Streams, question: string): Promise<string> {
  const width = (stderr.columns || 80) - markColumns - 1
  const lines = `${question}${answerColumns}`.split('\n').map((line) => wrap(line.split(/ (?! |$)/u), width))
  return (await Promise.all(lines)).flat().join('\n').trimEnd()
}

async function pickFrom<T>(streams: Streams, options: PickerOptions<T>): Promise<[T, ...T[]]> {
  const [core, {picker}] = await Promise.all([import('@inquirer/core'), import('./picker.js')])
  const ask = picker(core, options, streams.stderr.rows || 24)
  return (await answered(streams, (context) => ask(undefined, context))) as [T, ...T[]]
}

interface PromptContext {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly signal: AbortSignal
}

type Asking<T> = (context: PromptContext) => Promise<T>

/** Asks on stderr, and once more after Ctrl-Z and fg, since the shell has written below the question. */
async function answered<T>(streams: Streams, ask: Asking<T>): Promise<T> {
  for (;;) {
    const continued = new AbortController()
    const onContinue = () => continued.abort()
    process.once('SIGCONT', onContinue)
    try {
      return await answeredOnce(streams, continued.signal, ask)
    } catch (error) {
      if (!continued.signal.aborted || streams.signal.aborted) throw error
    } finally {
      process.off('SIGCONT', onContinue)
    }
  }
}

/**
 * Esc and Ctrl-D cancel. If the terminal is closed, inquirer's reader closes without settling its promise; it pauses stdin, and that
 * ends the question.
 */
async function answeredOnce<T>({stdin, stderr, signal}: Streams, continued: AbortSignal, ask: Asking<T>): Promise<T> {
  const gone = new AbortController()
  let isCancelled = false
  const release = await onEscape(stdin, () => {
    isCancelled = true
    gone.abort()
  })
  const onPause = () => setImmediate(() => gone.abort())
  stdin.once('pause', onPause)
  try {
    return await ask({input: stdin, output: stderr, signal: AbortSignal.any([gone.signal, continued, signal])})
  } catch (error) {
    if (!(error instanceof Error && interruptions.has(error.name))) throw error
    throw isCancelled ? new Cancelled() : new Interrupted()
  } finally {
    release()
    stdin.off('pause', onPause)
  }
}
