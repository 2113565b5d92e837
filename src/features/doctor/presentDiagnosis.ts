import {presentList, presentText} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {type Diagnosis, diagnosisList, diagnosisSummary, diagnosisText} from '../../view/tool/doctor.js'

/** Shows what was found, and ends the command with 15 where anything was: a warning counts as well (product §3). */
export async function presentDiagnosis(session: Session, found: readonly Diagnosis[]): Promise<void> {
  const masked = found.map((one) => session.secrets.maskIn(one) as Diagnosis) // every member keeps its type
  const {format, columns, sort, header} = session.output
  const plainly = format === 'table' && columns === undefined && sort === undefined && header
  if (plainly && session.runtime.stdout.isTerminal) await presentText(session, diagnosisText(masked, session.view))
  else await presentList(session, masked, diagnosisList)
  if (format === 'table') session.warn(diagnosisSummary(masked))
  if (found.some(({state}) => state !== 'ok')) session.endWith('found')
}
