/** A command line of roomctl: the name of a command, such as `room end`, and its arguments, not quoted. */
export type CommandWords = readonly [name: string, ...args: readonly string[]]

/** A command to type, after words that say what it is for. */
export interface AdvisedCommand {
  readonly sentence?: string | undefined
  readonly command: CommandWords
  /** Follows if the first has succeeded. */
  readonly next?: CommandWords | undefined
  /** More advice, after a semicolon. */
  readonly further?: Advice | undefined
}

/** What to do about a failure: a sentence, or a command. */
export type Advice = string | AdvisedCommand

/** As one line, ready to paste: the arguments are quoted for a shell. */
export function adviceText(advice: Advice): string {
  if (typeof advice === 'string') return advice
  const {sentence, command, next, further} = advice
  return [
    sentence === undefined ? '' : `${sentence}: `,
    lineText(command),
    next === undefined ? '' : ` && ${lineText(next)}`,
    further === undefined ? '' : `; ${adviceText(further)}`,
  ].join('')
}

function lineText([name, ...args]: CommandWords): string {
  return ['roomctl', name, ...args.map(shellArgument)].join(' ')
}

/** An argument quoted for a shell, unless it is masked, as it cannot be pasted then. */
export function shellArgument(arg: string): string {
  return /^(?:--[\w-]+=)?\*{3}$/u.test(arg) ? arg : shellWord(arg)
}

/** Advice with its sentence and each of its arguments changed; one argument may become several. */
export function mapAdvice(
  advice: Advice,
  ofSentence: (sentence: string) => string,
  ofArgument: (arg: string) => readonly string[] = (arg) => [ofSentence(arg)],
): Advice {
  if (typeof advice === 'string') return ofSentence(advice)
  const {sentence, command, next, further} = advice
  const ofLine = ([name, ...args]: CommandWords): CommandWords => [name, ...args.flatMap(ofArgument)]
  return {
    sentence: sentence && ofSentence(sentence),
    command: ofLine(command),
    next: next && ofLine(next),
    further: further && mapAdvice(further, ofSentence, ofArgument),
  }
}

/** The advice after other words. */
export function adviceAfter(words: string, advice: Advice): Advice {
  if (typeof advice === 'string') return `${words} ${advice}`
  return {...advice, sentence: advice.sentence === undefined ? words : `${words} ${advice.sentence}`}
}

/** Two pieces of advice as one. */
export function joinAdvice(advice: Advice | undefined, further: Advice): Advice {
  if (advice === undefined) return further
  return typeof advice === 'string' ? adviceAfter(`${advice};`, further) : {...advice, further}
}

/** A text as one word of a shell's command line, quoted if necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
