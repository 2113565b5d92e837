import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {type AmbiguityChoices, type AmbiguityKey, ambiguities} from '../../api/contract/ambiguities.js'
import {repeatableFlag, valueFlag} from '../../cli/flags/flags.js'
import {parseDurationFlag} from '../../cli/flags/parseValues.js'
import {wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'

export const dataFlag = valueFlag('DIR', 'sandbox folder (default: the one of -p sandbox)')

export const seedFlag = Flags.string({options: ['demo'], summary: 'add demonstration rooms, files and devices'})

/** The interpretations of the documents. */
export const choiceFlags = {
  document: repeatableFlag('KEY=VALUE', 'reading of the documents; repeatable (help sandbox)'),
  latency: valueFlag('200ms', 'delay every response'),
}

type ChoiceFlags = InferredFlags<typeof choiceFlags>

/** The chosen values by their names in the sandbox. Throws Failure (usage). */
export function choicesOf({document = [], latency}: ChoiceFlags) {
  return {
    ...(Object.fromEntries(document.map(parseAmbiguity)) as Partial<AmbiguityChoices>),
    ...(latency === undefined ? {} : {latencyMs: parseDurationFlag('--latency', latency)}),
  }
}

/** Reads `delete-ended=refuse`. Throws Failure (usage) with the nearest key or value. */
function parseAmbiguity(text: string): readonly [string, string] {
  const [, key = '', value = ''] = /^([^=]*)=?(.*)$/su.exec(text) ?? []
  const ambiguity = Object.hasOwn(ambiguities, key) ? ambiguities[key as AmbiguityKey] : undefined
  if (ambiguity === undefined) {
    const guess = nearest(key, Object.keys(ambiguities))
    throw wrongUsage(
      guess === undefined ? '--document takes KEY=VALUE with a known key' : `--document has no key ${key}`,
      {try: guess === undefined ? 'roomctl help sandbox' : `use --document ${guess}=${value}`},
    )
  }
  const values: readonly string[] = ambiguity[1]
  if (values.includes(value)) return [ambiguity[0], value]
  throw wrongUsage(`--document ${key} takes ${values.join(', ').replace(/, ([^,]*)$/u, ' or $1')}`, {
    try: `use --document ${key}=${nearest(value, values) ?? values.at(-1)}`,
  })
}
