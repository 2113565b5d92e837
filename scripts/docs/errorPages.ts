import {type Code, codes} from '../../src/api/contract/codes.js'
import {answering, casesOfCode, endingOf, errorCatalog, isCommon} from '../../src/api/contract/errorCatalog.js'
import {fillText, type Operation} from '../../src/api/contract/operation.js'
import {exits} from '../../src/failure.js'
import {adviceCell} from './advice.js'
import {code as inCode, page, prose, sentence, table} from './markdown.js'

/** The page of one error code of the service. */
export function errorPage(one: Code): string {
  const {exit, isEmptyList} = errorCatalog[one]
  const {code: exitCode, meaning} = exits[endingOf(one)]
  const again =
    exit === 'temporary'
      ? 'It is temporary: the same command may succeed later.'
      : 'It is not temporary: the same command fails again until something is changed.'
  return page(
    one,
    `roomctl ends with [exit code ${exitCode}](../exit-codes.md), ${shortened(meaning)}.${isEmptyList ? '' : ` ${again}`}`,
    ...casesOfCode(one).flatMap(caseText),
    `On the command line: ${inCode(`roomctl explain ${one}`)}.`,
  )
}

/** The text before the list in `not found: CE002, 404`. */
function shortened(meaning: string): string {
  return prose(meaning.replace(/[:;].*$/su, ''))
}

function caseText({meaning, of}: ReturnType<typeof casesOfCode>[number]): string[] {
  const whom = of.length === 0 ? 'Every room operation' : of.map(({id}) => id).join(', ')
  const rows = [
    ['The document says', sentence(prose(fillText(meaning.condition, {})))],
    ...(meaning.why === undefined ? [] : [['Why', sentence(prose(fillText(meaning.why, {})))]]),
    ...(meaning.open === undefined ? [] : [['Not documented', sentence(prose(meaning.open))]]),
    ...(meaning.try === undefined ? [] : [['What to do', adviceCell(meaning.try)]]),
  ]
  return [`## ${whom}`, ...(of.length === 0 ? [] : [of.map(operationText).join(' ')]), table(['', ''], rows)]
}

function operationText({purpose, source}: Operation): string {
  return `${purpose} (${source}).`
}

/** The index of the codes. */
export function errorIndex(): string {
  const rows = codes.map((one) => [
    `[${one}](${one}.md)`,
    sentence(prose(errorCatalog[one].condition)),
    isCommon(one)
      ? 'every room operation'
      : answering(one)
          .map(({id}) => id)
          .join(', '),
    String(exits[endingOf(one)].code),
  ])
  return page(
    'Error codes',
    'What the room service answers when it refuses, by the code in its answer. Common codes can come from every room operation. ' +
      'A code that is not here is shown as it came; the HTTP status then decides the exit code. The other services have no codes: ' +
      '[HTTP statuses](statuses.md).',
    table(['Code', 'The document says', 'From', 'Exit'], rows),
  )
}
