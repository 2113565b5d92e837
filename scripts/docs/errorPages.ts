import {catalogue, endingOf, type Meaning, meaningOf} from '../../src/api/contract/catalogue.js'
import {exits} from '../../src/api/contract/failure.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {type Code, codes, commonCodes} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {adviceText, placeholders} from './advice.js'
import {code as inCode, page, prose, sentence, table} from './markdown.js'

/** What a code means, and the operations that it means it for; none: wherever no operation says more. */
interface Case {
  readonly meaning: Meaning
  readonly of: readonly Operation[]
}

/** The page of one error code of the service. */
export function errorPage(one: Code): string {
  const {retryable, isEmptyList} = catalogue[one]
  const {code: exitCode, meaning} = exits[endingOf(one)]
  const again = retryable
    ? 'It is temporary: the same command may succeed later.'
    : 'It is not temporary: the same command fails again until something is changed.'
  return page(
    one,
    `roomctl ends with [exit code ${exitCode}](../exit-codes.md), ${shortened(meaning)}.${isEmptyList ? '' : ` ${again}`}`,
    ...casesOf(one).flatMap(caseText),
    `On the command line: ${inCode(`roomctl explain ${one}`)}.`,
  )
}

/** Of `not found: CE002, 404` what stands before the list. */
function shortened(meaning: string): string {
  return prose(meaning.replace(/[:;].*$/su, ''))
}

/** Meanings that are the same for several operations are told once. */
function casesOf(one: Code): Case[] {
  const {general} = catalogue[one]
  const cases = new Map<Meaning, Operation[]>()
  if (isCommon(one)) cases.set(general, [])
  for (const operation of answering(one)) {
    const meaning = meaningOf(one, operation.id)
    if (meaning === general && isCommon(one)) continue
    cases.set(meaning, [...(cases.get(meaning) ?? []), operation])
  }
  return [...cases].map(([meaning, of]) => ({meaning, of}))
}

/** The operations whose table in the document has the code, and those that the catalogue explains it for. */
function answering(one: Code): readonly Operation[] {
  const explained = Object.keys(catalogue[one].for ?? {})
  return operations.filter(({id, fails}) => (fails as readonly Code[]).includes(one) || explained.includes(id))
}

function isCommon(one: Code): boolean {
  return (commonCodes as readonly Code[]).includes(one)
}

function caseText({meaning, of}: Case): string[] {
  const whom = of.length === 0 ? 'Every room operation' : of.map(({id}) => id).join(', ')
  const rows = [
    ['The document says', sentence(prose(placeholders(meaning.condition)))],
    ...(meaning.why === undefined ? [] : [['Why', sentence(prose(placeholders(meaning.why)))]]),
    ...(meaning.try === undefined ? [] : [['What to do', adviceText(placeholders(meaning.try))]]),
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
    sentence(prose(catalogue[one].general.condition)),
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
