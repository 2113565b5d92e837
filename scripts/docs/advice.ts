import {type Advice, adviceText} from '../../src/advice.js'
import {fillAdvice} from '../../src/api/contract/operation.js'
import {code as inCode, prose, sentence} from './markdown.js'

/** Advice of the contract, with the names of the arguments, as there is no call; its command is code. */
export function adviceCell(advice: Advice): string {
  const filled = fillAdvice(advice, {})
  if (typeof filled === 'string') return sentence(prose(filled))
  const line = inCode(adviceText({...filled, sentence: undefined}))
  return sentence(filled.sentence === undefined ? line : `${prose(filled.sentence)}: ${line}`)
}
