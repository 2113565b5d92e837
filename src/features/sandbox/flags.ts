import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {type AmbiguityChoices, type AmbiguityKey, ambiguities} from '../../api/contract/ambiguities.js'
import {isCode} from '../../api/contract/codes.js'
import {repeatableFlag, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {parseByteCountFlag, parseDurationFlag} from '../../cli/flags/parseValues.js'
import {routeFlags} from '../../cli/session/routes.js'
import {wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'

export const dataFlag = valueFlag('DIR', 'sandbox folder (default: the one of -p sandbox)')

export const seedFlag = Flags.string({options: ['demo'], summary: 'add demonstration rooms, files and devices'})

/** The interpretations of the documents, and deliberate failures (product §8, §9). */
export const choiceFlags = {
  document: repeatableFlag('KEY=VALUE', 'how to read the documents; repeatable, keys: roomctl help sandbox'),
  fail: repeatableFlag('WHAT[:PERCENT]', 'fail on purpose: 503, 503:10%, CE100'),
  latency: valueFlag('200ms', 'delay every response'),
  'cut-after': valueFlag('1MiB', 'uploads: break each connection once, after N bytes'),
  stall: switchFlag('uploads: stall each upload once, in the middle'),
  'max-chunk': valueFlag('8MiB', 'uploads: refuse larger chunks with 413'),
  route: repeatableFlag("ID='METHOD /path'", 'serve an operation at another method and path'),
}

type ChoiceFlags = InferredFlags<typeof choiceFlags>

/** The chosen values by their names in the sandbox. Throws Failure (usage), also for a route that no client could call. */
export async function choicesOf({document = [], fail, route, latency, stall, ...flags}: ChoiceFlags) {
  const {'cut-after': cutAfter, 'max-chunk': maxChunk} = flags
  return {
    ...(Object.fromEntries(document.map(parseAmbiguity)) as Partial<AmbiguityChoices>),
    ...(fail === undefined ? {} : {fail: fail.map(parseFail)}),
    ...(route === undefined ? {} : {routes: Object.fromEntries(await routeFlags(route))}),
    ...(stall ? {stall} : {}),
    ...(latency === undefined ? {} : {latencyMs: parseDurationFlag('--latency', latency)}),
    ...(cutAfter === undefined ? {} : {cutAfter: parseByteCountFlag('--cut-after', cutAfter)}),
    ...(maxChunk === undefined ? {} : {maxChunk: parseByteCountFlag('--max-chunk', maxChunk)}),
  }
}

/** Reads `503`, `503:10%`, `CE100` or `CE101:50%`. Throws Failure (usage). */
export function parseFail(text: string) {
  const [what = '', share = '100', ...rest] = text.split(':')
  const percent = /^\d{1,3}(\.\d+)?%?$/.test(share) ? Number.parseFloat(share) : Number.NaN
  const isShare = rest.length === 0 && percent <= 100
  if (isShare && /^[45]\d\d$/.test(what)) return {kind: 'status', status: Number(what), percent} as const
  if (isShare && isCode(what)) return {kind: 'code', code: what, percent} as const
  const form = 'an HTTP status from 400 to 599 or an error code such as CE100, then :PERCENT if not always'
  throw wrongUsage(`${JSON.stringify(text)} is not ${form}`)
}

/** Reads `delete-ended=refuse`. Throws Failure (usage) with the nearest key or value. */
function parseAmbiguity(text: string): readonly [string, string] {
  const [, key = '', value = ''] = /^([^=]*)=?(.*)$/su.exec(text) ?? []
  const ambiguity = Object.hasOwn(ambiguities, key) ? ambiguities[key as AmbiguityKey] : undefined
  if (ambiguity === undefined) {
    const guess = nearest(key, Object.keys(ambiguities))
    throw wrongUsage(
      guess === undefined ? '--document takes KEY=VALUE with a known key' : `--document has no key ${key}`,
      {try: guess === undefined ? 'roomctl help sandbox' : `--document ${guess}=${value}`},
    )
  }
  const values: readonly string[] = ambiguity[1]
  if (values.includes(value)) return [ambiguity[0], value]
  throw wrongUsage(`--document ${key} takes ${values.join(', ').replace(/, ([^,]*)$/u, ' or $1')}`, {
    try: `--document ${key}=${nearest(value, values) ?? values.at(-1)}`,
  })
}
