import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {type AmbiguityChoices, type AmbiguityKey, ambiguities} from '../../api/contract/ambiguities.js'
import {repeatableFlag, valueFlag} from '../../cli/flags/flags.js'
import {parseChoice, parseDurationFlag} from '../../cli/flags/parseValues.js'

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

/** Reads `delete-ended=refuse`. Throws Failure (usage). */
function parseAmbiguity(text: string): readonly [string, string] {
  const [, key = '', value = ''] = /^([^=]*)=?(.*)$/su.exec(text) ?? []
  const known = parseChoice('KEY of --document', key, Object.keys(ambiguities) as AmbiguityKey[])
  const [choice, values] = ambiguities[known]
  return [choice, parseChoice<string>(`${known} of --document`, value, values)]
}
