import {type Choice, Interrupted, type Questions, type Streams} from './questions.js'

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
