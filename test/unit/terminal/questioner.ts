import {terminalAsk} from '../../../src/terminal/ask.js'
import {Cancelled} from '../../../src/terminal/questions.js'
import {wrapWords} from '../../../src/text/width.js'

/**
 * A small program that asks what its arguments say, one after the other, and prints the answers on stdout, for tests on a real
 * terminal. Like a program with an open connection it does not end by itself while it waits: an answer that never comes hangs it.
 */
const connection = setInterval(() => {}, 1000)
const {signal} = new AbortController()
const {stdin, stderr} = process
const wrap = async (words: readonly string[], width: number) => wrapWords(words, width)
const ask = terminalAsk({stdin, stderr, signal, wrap}, process.env)
const choices = (count: number) =>
  Array.from({length: count}, (_, i) => ({
    name: `room-${i + 1}  number ${i + 1}`,
    short: `room-${i + 1}`,
    value: i + 1,
  }))

const questions: Record<string, () => Promise<unknown>> = {
  available: async () => ask.available,
  confirm: () => ask.confirm('End room r-42?'),
  long: () =>
    ask.confirm(`End room r-test-1 "test-load-1" (MEETING, 3 present: ann, ben, bot-1) on sandbox (built in)?`),
  text: () => ask.text('Room name', {initial: 'standup', check: (text) => text.length > 2 || 'too short'}),
  secret: () => ask.secret('Token'),
  few: () => ask.choose('Which room?', choices(3)),
  many: () => ask.choose('Which room?', choices(40)),
  several: () => ask.chooseSeveral('Which rooms?', choices(40)),
}

async function answer(name: string): Promise<string> {
  try {
    return `${name}=${JSON.stringify(await questions[name]?.())}`
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    process.exitCode = 13
    return 'cancelled'
  }
}

try {
  for (const name of process.argv.slice(2)) process.stdout.write(`${await answer(name)}\n`)
} finally {
  clearInterval(connection)
}
