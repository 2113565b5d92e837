import {create, describe} from '../../api/contract/asset.js'
import {Failure} from '../../api/contract/failure.js'
import type {Input, Operation, Output} from '../../api/contract/operation.js'
import {presentDone, type ResultView, resultView} from '../../cli/output/present.js'
import {type ConfirmFlags, confirmChange, describeChange} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {presentPreviews, previewRequest} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {containerOf, escapedPlace} from './assetPath.js'

type ChangeFlags = ConfirmFlags & {readonly 'dry-run'?: boolean}

interface NewContainer extends Required<Pick<Input<typeof create>, 'body'>> {
  readonly container: string
  /** The address of the service, to read the uri that comes back. */
  readonly base: URL
}

/** Creates a container at the path that was typed, and says so where the service put it elsewhere. Raises a Failure. */
export async function createContainer(session: Session, flags: ChangeFlags, wanted: NewContainer): Promise<void> {
  const {container, body, base} = wanted
  const members = ['container', 'uuid', 'uri', ...Object.keys(body)]
  await changeContainer(session, flags, create, {path: {container}, body}, members, async (view, {uuid, uri}) => {
    const made = placeOf(uri, base)
    if (made !== undefined && made !== container) {
      session.warn(
        `note: the service took ${safeText(container)} as the parent: the new container is ${safeText(made)}`,
      )
    }
    const place = made ?? container
    const result = {container: escapedPlace(place), uuid: uuid ?? null, uri: uri ?? null, ...body}
    const named = uuid ? ` (${safeText(uuid)})` : ''
    await presentDone(session, view, result, result.container, `created container ${safeText(place)}${named}`)
  })
}

/** Gives a container another description. Raises a Failure. */
export async function describeContainer(
  session: Session,
  flags: ChangeFlags,
  {container, description}: {readonly container: string; readonly description: string},
): Promise<void> {
  const input = {path: {container}, body: {description}}
  await changeContainer(session, flags, describe, input, ['container', 'description'], async (view) => {
    const result = {container: escapedPlace(container), description}
    await presentDone(session, view, result, result.container, `described container ${safeText(container)}`)
  })
}

/** Shows the request with `--dry-run`; else confirms, sends and journals, and hands the reply on. */
async function changeContainer<O extends Operation>(
  session: Session,
  flags: ChangeFlags,
  operation: O,
  input: Input<O>,
  members: readonly string[],
  present: (view: ResultView<string>, reply: Output<O>) => Promise<void>,
): Promise<void> {
  if (flags['dry-run']) return presentPreviews(session, [await previewRequest(session, operation, input)])
  const view = await resultView(session, members)
  await confirmChange(session, flags, describeChange(operation, input))
  await present(view, await sendJournaled(session, operation, input))
}

/** Where a uri of an answer leads; undefined where it names no container of this service. */
function placeOf(uri: string | null | undefined, base: URL): string | undefined {
  if (!uri) return undefined
  try {
    return containerOf(uri, base)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
