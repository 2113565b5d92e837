import type {Style} from '../../text/text.js'
import type {ListView} from '../format/columns.js'

export interface Explanation {
  readonly code: string
  readonly operations: readonly string[]
  readonly condition: string
  readonly why: string | null
  readonly try: string | null
  /** What is undocumented about it. */
  readonly not_documented: string | null
  readonly exit_code: number
  readonly exit_meaning: string
  readonly retryable: boolean
}

export const explanationList: ListView<Explanation> = {
  id: ({code}) => code,
  empty: 'unknown code',
  columns: [
    {name: 'code', id: true},
    {name: 'operations', value: ({operations}) => operations.join(' '), fit: 'prose'},
    {name: 'condition', fit: 'prose'},
    {name: 'exit_code', label: 'exit', right: true},
    {name: 'why', extra: true},
    {name: 'try', extra: true},
    {name: 'not_documented', extra: true},
    {name: 'retryable', extra: true},
  ],
}

export function explanationText(explanations: readonly Explanation[], style: Style): string {
  return explanations.map((one) => paragraph(one, style)).join('\n\n')
}

function paragraph(one: Explanation, {bold}: Style): string {
  const lines = [`${bold(one.code)}  ${one.condition}`]
  if (one.operations.length > 0) lines.push(`  for:  ${one.operations.join(', ')}`)
  if (one.why !== null) lines.push(`  why:  ${one.why}`)
  if (one.try !== null) lines.push(`  try:  ${one.try}`)
  if (one.not_documented !== null) lines.push(`  not documented: ${one.not_documented}`)
  const [kind = one.exit_meaning] = one.exit_meaning.split(/[:;]/u)
  lines.push(`  exit: ${one.exit_code}, ${kind}${one.retryable ? '; the same command may succeed later' : ''}`)
  return lines.join('\n')
}
