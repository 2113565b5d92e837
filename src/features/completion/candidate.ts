export interface Candidate {
  /** The whole word, without shell quoting. */
  readonly value: string
  readonly description?: string | undefined
}

export interface CompletionAnswer {
  /** The shell finds files and folders itself. */
  readonly offer: 'words' | 'files' | 'folders'
  /** Whether the word may continue: no space is added. */
  readonly open: boolean
  readonly candidates: readonly Candidate[]
}

export const noCandidates: CompletionAnswer = {offer: 'words', open: false, candidates: []}

export function wordsAnswer(candidates: readonly Candidate[], open = false): CompletionAnswer {
  return {offer: 'words', open, candidates}
}
