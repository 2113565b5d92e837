import {adviceText} from '../../advice.js'
import {exitOfStatus} from '../../api/client/response/refusalKind.js'
import {type Code, codes, isCode} from '../../api/contract/codes.js'
import {casesOfCode, endingOf, isCommon, meaningOf} from '../../api/contract/errorCatalog.js'
import {
  type CodelessService,
  casesOfStatus,
  codelessService,
  isDocumentedStatus,
  meaningOfStatus,
  statusesOf,
} from '../../api/contract/httpStatusMeanings.js'
import type {Meaning} from '../../api/contract/meanings.js'
import {fillAdvice, type Operation} from '../../api/contract/operation.js'
import {type Exit, exits, wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import type {Explanation} from '../../view/system/explanation.js'
import {knownOperation} from '../config/routes.js'

export interface Explained {
  readonly matches: readonly Explanation[]
  readonly remark?: string
}

/**
 * The meanings of a code, or of all, one for each different meaning; of an operation those that its document names, or its HTTP
 * statuses. Throws Failure (usage) for an unknown code or operation.
 */
export function explanations(code?: string, operation?: string): Explained {
  if (operation !== undefined) {
    const known = knownOperation(operation, (nearest) => `use --operation ${nearest}`)
    return forOperation(known, code)
  }
  if (code === undefined) return {matches: codes.flatMap(meaningsOf)}
  if (!isStatus(code)) return {matches: meaningsOf(readCode(code))}
  const status = Number(code)
  const ending = exitOfStatus(status)
  return {matches: casesOfStatus(status).map(({meaning, of}) => explanationOf(code, meaning, of, ending))}
}

function forOperation(operation: Operation, code: string | undefined): Explained {
  const service = codelessService(operation)
  if (service) return byStatus(operation, service, code)
  const its = (name: Code) => explain(name, meaningOf(name, operation.id), [operation])
  if (code === undefined) return {matches: codes.filter((name) => isNamedFor(name, operation)).map(its)}
  const known = readCode(code, operation)
  if (isNamedFor(known, operation)) return {matches: [its(known)]}
  const remark = `the document does not list ${known} for ${operation.id}; this is its meaning for other operations`
  return {matches: meaningsOf(known), remark}
}

/** Whether the document has the operation answer with the code: in its table per operation, or in the one for all. */
function isNamedFor(code: Code, {fails}: Operation): boolean {
  return isCommon(code) || fails.includes(code)
}

/** Of an operation whose document shows no error codes: the HTTP status decides there. */
function byStatus(operation: Operation, service: CodelessService, code: string | undefined): Explained {
  const remark = `the ${service} document has no error codes; the HTTP status says what is wrong`
  if (code !== undefined && !isStatus(code)) {
    throw wrongUsage(`${operation.id} answers with no such code as ${code}`, {
      why: remark,
      try: {command: ['explain', '--operation', operation.id]},
    })
  }
  const statuses = code === undefined ? statusesOf(service) : [Number(code)]
  return {matches: statuses.map((status) => explainStatus(status, operation)), remark}
}

/** One explanation for each different meaning, with the operations that share it. */
function meaningsOf(code: Code): Explanation[] {
  return casesOfCode(code).map(({meaning, of}) => explain(code, meaning, of))
}

function explain(code: Code, meaning: Meaning, of: readonly Pick<Operation, 'id'>[]): Explanation {
  const operations = of.length === 0 ? ['every room operation'] : of.map(({id}) => id)
  return explanationOf(code, meaning, operations, endingOf(code))
}

function explanationOf(
  code: string,
  {condition, why, try: advice, open}: Meaning,
  operations: readonly string[],
  exit: Exit,
): Explanation {
  return {
    code,
    operations,
    condition,
    why: why ?? null,
    // Without a call there are no values: use the names of the arguments.
    try: advice === undefined ? null : adviceText(fillAdvice(advice, {})),
    not_documented: open ?? null,
    exit_code: exits[exit].code,
    exit_meaning: exits[exit].meaning,
    retryable: exit === 'temporary',
  }
}

function isStatus(text: string): boolean {
  return /^[45]\d\d$/u.test(text)
}

function readCode(text: string, operation?: Operation): Code {
  const code = text.toUpperCase()
  if (isCode(code)) return code
  // The room document shows no HTTP status for any of its codes (room, Errors).
  if (operation && isStatus(text)) {
    throw wrongUsage(`the document shows no HTTP status ${text} for ${operation.id}`, {
      why: 'it documents codes, but not their HTTP statuses',
      try: {command: ['explain', '--operation', operation.id]},
    })
  }
  const guess = nearest(code, codes)
  throw wrongUsage(`unknown code ${text}`, {
    why: 'a service may return undocumented codes, which roomctl shows unchanged',
    try: guess === undefined ? {command: ['explain']} : {command: ['explain', guess]},
  })
}

/** What one HTTP status of a refusal means for an operation without codes. */
function explainStatus(status: number | '5xx', operation: Operation): Explanation {
  const number = status === '5xx' ? 500 : status
  const meaning = meaningOfStatus(number, operation)
  const mark = isDocumentedStatus(number, operation) ? {} : {open: `the status for ${operation.id}`}
  return explanationOf(`${status}`, {...meaning, ...mark}, [operation.id], exitOfStatus(number))
}
