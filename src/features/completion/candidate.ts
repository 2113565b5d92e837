/** Something that can stand where the cursor is. */
export interface Candidate {
  /** The whole word, as the tool is to be given it: no shell's quoting. */
  readonly value: string
  readonly description?: string | undefined
}

/** What a shell is to offer. */
export interface CompletionAnswer {
  /** Files and folders are for the shell to find. */
  readonly offer: 'words' | 'files' | 'folders'
  /** Whether more of the same word may follow, so that no space is set behind it. */
  readonly open: boolean
  readonly candidates: readonly Candidate[]
}

export const noCandidates: CompletionAnswer = {offer: 'words', open: false, candidates: []}

/** An answer of these words. */
export function wordsAnswer(
  candidates: readonly Candidate[],
  {open = false}: {readonly open?: boolean} = {},
): CompletionAnswer {
  return {offer: 'words', open, candidates}
}
