/**
 * What was found about a credential file, a key or an id. `error`: it cannot work, nothing should be sent. `warning`: it may
 * work, and something should be looked at. `note`: what nobody can read from the file.
 */
export interface Finding {
  readonly level: 'error' | 'warning' | 'note'
  readonly code: string
  /** A clause without a stop, about `it`: the file, the key or the text. It may hold words of the file, never a secret. */
  readonly message: string
  /** What to do: a sentence, or a command line to type. */
  readonly try?: string
}

export function error(code: string, message: string, advice?: string): Finding {
  return finding('error', code, message, advice)
}

export function warning(code: string, message: string, advice?: string): Finding {
  return finding('warning', code, message, advice)
}

export function note(code: string, message: string): Finding {
  return finding('note', code, message)
}

function finding(level: Finding['level'], code: string, message: string, advice?: string): Finding {
  return {level, code, message, ...(advice === undefined ? {} : {try: advice})}
}
