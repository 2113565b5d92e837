import type {Interface} from 'node:readline'
import {Writable} from 'node:stream'
import {Interrupted, type Questions, type Streams} from './questions.js'

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
