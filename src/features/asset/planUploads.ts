import {listContainer} from '../../api/contract/asset.js'
import type {Listing} from '../../api/contract/assetShapes.js'
import {withFacts} from '../../api/contract/failure.js'
import {askChange, type ConfirmFlags} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {PresenceCheck} from '../../upload/bytes/presence.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import type {UploadSettings} from '../../upload/model/job.js'
import {makePlan, type PlannedFile} from '../../upload/sync/plan.js'
import type {SyncFile} from '../../upload/sync/syncFile.js'
import {isNotFound} from './containers.js'
import {pathArgument} from './paths.js'
import type {SendOptions} from './uploadFlags.js'

/** Files that are to be in a container. */
export interface PlanRun {
  readonly files: readonly SyncFile[]
  /** The address of the asset service. */
  readonly base: URL
  readonly container: string
  /** Makes a container that is missing, and gives what it holds. */
  readonly whenMissing?: (() => Promise<Listing>) | undefined
}

/**
 * What is to be done with files, by what ledger, listing and stamps prove; sends nothing but GETs and HEADs. Raises a Failure (missing, file,
 * interrupted), and that of a listing or of metadata that cannot be read where they decide what is sent twice.
 */
export async function planUploads(
  session: Session,
  {settings, stamp, verify, concurrency}: SendOptions,
  ledger: Ledger,
  run: PlanRun,
): Promise<PlannedFile[]> {
  const {base, container, whenMissing} = run
  const listing = await listToCompare(session, settings, container, whenMissing)
  const presence = new PresenceCheck(session, verify)
  const check: PresenceCheck['check'] = (resource, ...about) =>
    presence.check(resource, ...about).catch((error: unknown) => {
      throw undecided(error, `without ${resource.uuid}`)
    })
  const {signal} = session.runtime
  const reading = {readsBytes: verify === 'download', concurrency, signal, stamp, check}
  return makePlan(run.files, {base, container, listing, ledger, fresh: settings.fresh, ...reading})
}

/**
 * What a container holds, for files not to be sent twice; nothing with `--fresh`, which sends them whatever it holds. Raises a
 * Failure that tells how to create a container that is not there, unless `whenMissing` makes it.
 */
export async function listToCompare(
  {api}: Session,
  {fresh}: Pick<UploadSettings, 'fresh'>,
  container: string,
  whenMissing?: () => Promise<Listing>,
): Promise<Listing> {
  if (fresh && !whenMissing) return {}
  try {
    const listing = await api.call(listContainer, {path: {container}, query: {}})
    return fresh ? {} : listing
  } catch (error) {
    if (whenMissing && isNotFound(error)) return whenMissing()
    if (!isNotFound(error)) throw undecided(error, 'without the listing')
    const message = `container ${container} does not exist; nothing was sent`
    const advice = `roomctl asset create ${pathArgument(container)} --description TEXT`
    throw withFacts(error, () => ({message, why: undefined, try: advice}))
  }
}

/** A read that failed and would have told what is there: sending without it could send twice. */
function undecided(error: unknown, without: string): unknown {
  return withFacts(error, ({exit, message, why}) => {
    if (exit === 'unauthenticated' || exit === 'interrupted' || exit === 'configuration') return {}
    return {
      message: `${message}; nothing was sent`,
      why: why ?? `${without} roomctl cannot tell which files are already there`,
    }
  })
}

/** Names that a sentence spells out; the rest is counted. */
const namesShown = 3

/**
 * Tells of files that are sent though the container has one of their name, which nothing proves to be another: on a terminal by one
 * question for the run, which `--yes` answers, otherwise by a warning. Raises a Failure (unconfirmed) when it is declined.
 */
export async function confirmRepeated(
  session: Session,
  answers: ConfirmFlags,
  plan: readonly PlannedFile[],
  container: string,
): Promise<void> {
  const names = plan.flatMap(({file, isRepeated}) => (isRepeated ? [safeText(file.name)] : []))
  if (names.length === 0) return
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  const listed = `${names.slice(0, namesShown).join(', ')}${more}`
  const text = `${safeText(container)} already has ${listed}, and nothing proves the content is the same`
  session.warn(`warning: ${text}; to compare the content instead, add --verify download`)
  const isAnswered = answers.yes === true || answers.confirm !== undefined
  if (isAnswered || !session.mayAsk) return
  const copies = names.length === 1 ? 'another copy' : `${names.length} more copies`
  await askChange(session, 'asset', {text: `Upload ${copies}?`})
}

/** Says that descriptions are stamped, which changes what everybody reads of the files that are sent. */
export function announceStamps(session: Session, plan: readonly PlannedFile[]): void {
  const isStamped = plan.some(({action, stamp}) => action !== 'skip' && stamp !== undefined)
  if (isStamped) session.warn('stamps are on: each description ends with [sha256:DIGEST]')
}
