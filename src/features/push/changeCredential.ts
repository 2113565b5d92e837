import type {Input, Operation, Output} from '../../api/contract/operation.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {askChange, askName, mustAsk, mustName, noteDeployment, questionOf} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {presentPreviews, previewRequest} from '../mutation/dryRun.js'
import {type JournalVerdict, sendJournaled} from '../mutation/journal.js'
import type {MutationFlags} from '../mutation/mutate.js'
import type {MutationResult} from '../mutation/mutation.js'

/** A change with a proof before and after it: a credential (push §6 to §8). */
export interface CredentialChange<O extends Operation> {
  readonly operation: O
  readonly input: Input<O>
  readonly doing: string
  /** `word`: the question takes this word and no yes. */
  readonly confirmation: 'yes' | {readonly word: string} | undefined
  /** The registered credential before the change; undefined if it could not be read. */
  readonly before: unknown
  /** A note of a dry run. */
  readonly previewed: Readonly<Record<string, unknown>>
  readonly members: readonly string[]
  /** Proves, sends, and proves again. `send` journals the request by what `judge` finds after the answer. */
  carryOut(send: (judge: () => Promise<JournalVerdict>) => Promise<Output<O>>): Promise<MutationResult>
}

/** Asks, sends and shows the result, or with `--dry-run` the request. @throws Failure */
export async function changeCredential<O extends Operation>(
  session: Session,
  flags: MutationFlags,
  {operation, input, doing, confirmation, before, previewed, members, carryOut}: CredentialChange<O>,
): Promise<void> {
  if (flags['dry-run']) {
    return presentPreviews(session, [{...(await previewRequest(session, operation, input)), ...previewed}])
  }
  const view = await resultView(session, members)
  const text = questionOf(doing)
  if (typeof confirmation === 'object') {
    const asked = mustName(session, flags, doing, confirmation.word)
    if (asked) await askName(session, 'push', text, confirmation.word)
    else noteDeployment(session, 'push')
  } else if (mustAsk(session, flags, () => doing, confirmation)) await askChange(session, 'push', {text}, flags)
  else noteDeployment(session, 'push')
  const {value, id, sentence} = await carryOut((judge) => sendJournaled(session, operation, input, {judge, before}))
  await presentDone(session, view, value, id, sentence)
}
