import type {Advice} from '../../advice.js'
import {counted, safeText} from '../../text/text.js'
import {withTimes} from '../../text/time.js'
import {wrap} from '../../text/width.js'
import type {ListView, ViewContext} from '../format/columns.js'

export interface Diagnosis<Fix extends Advice = string> {
  /** For example `profile`, `room tls`. */
  readonly check: string
  /** `ok` with a fix is a hint. */
  readonly state: 'ok' | 'warn' | 'fail'
  /** A phrase without a full stop. */
  readonly what: string
  /** A command to type, or a sentence. */
  readonly fix: Fix | null
  readonly details: Readonly<Record<string, unknown>> | null
}

const colours = {ok: 'green', hint: 'cyan', warn: 'yellow', fail: 'red'} as const
const glyphs = {ok: '✓', hint: 'i', warn: '!', fail: '✗'} as const

export const diagnosisList: ListView<Diagnosis> = {
  id: ({check}) => check,
  empty: 'nothing was checked',
  columns: [
    {name: 'check', id: true},
    {
      name: 'state',
      show: (diagnosis, {plain}) => stateWord(diagnosis, plain),
      paint: (text, diagnosis, style) => style[colours[shownState(diagnosis)]](text),
    },
    {name: 'what', fit: 'prose'},
    {name: 'fix', fit: 'prose'},
    {name: 'details', extra: true},
  ],
}

function shownState({state, fix}: Diagnosis): keyof typeof glyphs {
  return state === 'ok' && fix !== null ? 'hint' : state
}

function stateWord(diagnosis: Diagnosis, plain: boolean): string {
  const state = shownState(diagnosis)
  return plain ? state : `${glyphs[state]} ${state}`
}

const stateWidth = 6
const fixIndent = ' '.repeat(stateWidth + 2)

/** The findings for a terminal: a line each, wrapped and never cut. The fix is one line below, however long, to be copied. */
export function diagnosisText(
  diagnoses: readonly Diagnosis[],
  {style, columns, plain, shortTime, time}: ViewContext,
): string {
  const nameWidth = Math.max(0, ...diagnoses.map(({check}) => check.length))
  const indent = ' '.repeat(stateWidth + nameWidth + 4)
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - indent.length)
  return diagnoses
    .flatMap((diagnosis) => {
      const [first = '', ...rest] = wrap(safeText(withTimes(diagnosis.what, shortTime ?? time)), room)
      const head = `${style[colours[shownState(diagnosis)]](stateWord(diagnosis, plain).padEnd(stateWidth))}  ${diagnosis.check.padEnd(nameWidth)}  ${first}`
      const fix = diagnosis.fix === null ? [] : [`${fixIndent}${style.cyan(safeText(`fix: ${diagnosis.fix}`))}`]
      return [head, ...rest.map((line) => `${indent}${line}`), ...fix]
    })
    .join('\n')
}

export function diagnosisSummary(diagnoses: readonly Diagnosis[]): string {
  const count = (state: keyof typeof glyphs) => diagnoses.filter((diagnosis) => shownState(diagnosis) === state).length
  const [hinted, warned, failed] = [count('hint'), count('warn'), count('fail')]
  const hints = hinted === 0 ? '' : `, ${counted(hinted, 'hint')}`
  if (warned + failed === 0) return `${counted(diagnoses.length, 'check')} passed${hints}`
  return `${counted(diagnoses.length, 'check')}: ${failed} failed, ${counted(warned, 'warning')}${hints}`
}

type Details = Readonly<Record<string, unknown>>

export function ok(check: string, what: string, details: Details | null = null): Diagnosis<Advice> {
  return {check, state: 'ok', what, fix: null, details}
}

function withFix(state: Diagnosis['state']) {
  return (check: string, what: string, fix: Advice, details: Details | null = null): Diagnosis<Advice> => {
    return {check, state, what, fix, details}
  }
}

/** An improvement, but no finding. */
export const hint = withFix('ok')
/** Works, but not for ever or not safely. */
export const warn = withFix('warn')
export const fail = withFix('fail')
