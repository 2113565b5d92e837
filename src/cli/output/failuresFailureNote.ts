import {Failure} from '../../api/contract/failure.js'
import {failureText} from '../../view/tool/failure.js'
import type {Session} from '../session/session.js'

/**
 * A failure of a part of what a command does, as lines for `note`: its advice acts where the command did. Without `reasons` it is
 * only said what happened.
 */
export function failureWarning(
  {style, advise}: Pick<Session, 'style' | 'advise'>,
  {facts}: Failure,
  {reasons = true}: {readonly reasons?: boolean} = {},
): string {
  const {why, try: advice} = facts
  const said = reasons ? {why, try: advice && advise(advice)} : {why: undefined, try: undefined}
  return failureText(new Failure({...facts, ...said}), style).trimEnd()
}
