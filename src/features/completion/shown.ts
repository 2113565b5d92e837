import {safeText} from '../../text/text.js'
import type {Answer, Candidate} from './candidate.js'
import type {Shell} from './scripts/shells.js'
import type {Typed} from './typed.js'

/** Longer ones leave no room for others. */
const longestDescription = 60
const longestValue = 500

/**
 * The answer as the scripts of the shells read it: a line that says what to offer (`:words`, `:open`, `:files`, `:folders`), then
 * one for each candidate: its value, a tab and its description. Bash gets what is to be inserted instead, and for a list that is
 * only shown (`listing`) the description behind two spaces. A value that could not be typed as it is, since it holds a control or
 * a hidden character, is left out.
 */
export function shownAnswer({offer, open, candidates}: Answer, typed: Typed, shell: Shell, listing: boolean): string {
  const lines = candidates.flatMap((candidate) => {
    const inserted = isTypable(candidate.value) ? typed.insertion(candidate.value) : undefined
    if (inserted === undefined) return []
    const description = descriptionOf(candidate)
    if (shell !== 'bash') return [description === '' ? inserted : `${inserted}\t${description}`]
    return [listing && description !== '' && candidates.length > 1 ? `${inserted}  ${description}` : inserted]
  })
  const directive = offer === 'words' && open ? 'open' : offer
  return [`:${directive}`, ...lines].map((line) => `${line}\n`).join('')
}

function isTypable(value: string): boolean {
  return value !== '' && value.length <= longestValue && safeText(value) === value
}

function descriptionOf({description = ''}: Candidate): string {
  const letters = [...safeText(description)]
  return letters.length > longestDescription
    ? `${letters.slice(0, longestDescription - 1).join('')}…`
    : letters.join('')
}
