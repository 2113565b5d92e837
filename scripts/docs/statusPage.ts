import {exitOfStatus} from '../../src/api/client/response/refusalKind.js'
import {casesOfStatus, codelessServices, statusesOf} from '../../src/api/contract/httpStatusMeanings.js'
import {exits} from '../../src/failure.js'
import {adviceCell} from './advice.js'
import {code, page, prose, sentence, table} from './markdown.js'

/** The page of HTTP statuses: their meanings for services without error codes. */
export function statusPage(): string {
  const statuses = [...new Set(codelessServices.flatMap(statusesOf))]
  return page(
    'HTTP statuses',
    'The asset and push documents show no error codes, so the HTTP status of a refusal decides. A message that comes with it is ' +
      'shown as it came.',
    ...statuses.sort(byNumber).flatMap(sections),
    `On the command line: ${code('roomctl explain 403')}, ${code('roomctl explain --operation push.cancel')}.`,
  )
}

function sections(status: number | '5xx'): string[] {
  const number = numberOf(status)
  const {code: exit} = exits[exitOfStatus(number)]
  const rows = casesOfStatus(number).map(({meaning: {condition, why = '', try: advice = ''}, of}) => [
    of.join(', '),
    sentence(prose(condition)),
    sentence(prose(why)),
    adviceCell(advice),
  ])
  return [
    `## ${status}`,
    `roomctl ends with [exit code ${exit}](../exit-codes.md).`,
    table(['From', 'Means', 'Why', 'What to do'], rows),
  ]
}

function byNumber(one: number | '5xx', other: number | '5xx'): number {
  return numberOf(one) - numberOf(other)
}

function numberOf(status: number | '5xx'): number {
  return status === '5xx' ? 500 : status
}
