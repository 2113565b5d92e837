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
  return explanations.map((explanation) => paragraph(explanation, style)).join('\n\n')
}

function paragraph(explanation: Explanation, {bold}: Style): string {
  const lines = [`${bold(explanation.code)}  ${explanation.condition}`]
  if (explanation.operations.length > 0) lines.push(`  for:  ${explanation.operations.join(', ')}`)
  if (explanation.why !== null) lines.push(`  why:  ${explanation.why}`)
  if (explanation.try !== null) lines.push(`  do:   ${explanation.try}`)
  if (explanation.not_documented !== null) lines.push(`  not documented: ${explanation.not_documented}`)
  const [kind = explanation.exit_meaning] = explanation.exit_meaning.split(/[:;]/u)
  lines.push(
    `  exit: ${explanation.exit_code}, ${kind}${explanation.retryable ? '; the same command may succeed later' : ''}`,
  )
  return lines.join('\n')
}
