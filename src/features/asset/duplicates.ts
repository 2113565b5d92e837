import {listContainer} from '../../api/contract/asset.js'
import {failureWarning} from '../../cli/output/failures.js'
import {presentList} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, onFailure} from '../../failure.js'
import {compareText, grouped} from '../../text/text.js'
import type {ResourcePath} from '../../upload/download/openBytes.js'
import {digestOfResource, listedResources, PresenceCheck, spellingsOf} from '../../upload/download/presence.js'
import {type DuplicateRow, duplicateList} from '../../view/asset/checks.js'
import {endsReads} from './listing.js'

/** A resource of a container that shares its name and platform with another. */
interface Candidate {
  readonly uuid: string
  readonly name: string
  readonly platform: string | null
  readonly stamp: string | undefined
  readonly content?: string | undefined
}

/** Finds resources of one name and platform with the same content, by stamps or with `reads` by bytes; ends with `found`. Throws Failure. */
export async function presentDuplicates(session: Session, container: string, reads: boolean): Promise<void> {
  const presence = new PresenceCheck(session, 'meta')
  const listed = session.api.call(listContainer, {path: {container}, query: {}})
  const listing = await listed
  // The name is that of the file, whether the service keeps it encoded or not.
  const listedAs = [...listedResources(listing)].map(([uuid, {name}]) => ({uuid, name: decodedName(name)}))
  const uuids = alike(listedAs, ({name}) => name).flatMap((group) => group.map(({uuid}) => uuid))
  const read = await readEach(session, uuids, (uuid) => readCandidate(presence, {container, uuid}, reads))
  const candidates = read.filter((one) => one !== undefined)
  const groups = alike(candidates, ({platform, name}) => `${platform} ${name}`)
  const digests = new Map<string, string>()
  if (reads) {
    await readEach(session, groups.flat(), async ({uuid}) => {
      digests.set(uuid, (await digestOfResource(session, {container, uuid})).sha256)
    })
  } else noteUnstamped(session, groups.flat())
  const known = groups.map((group) => group.map((one) => ({...one, content: digests.get(one.uuid)})))
  const rows = known.flatMap(reads ? provenByContent : provenByStamp)
  const sorted = rows.sort((one, other) => compareText(one.name, other.name))
  await presentList(session, sorted, duplicateList)
  if (rows.length > 0) session.endWith('found')
}

/** A Failure of one resource makes the command end with `partial`. Throws Failure that all of them would have. */
function readEach<Item, T>(
  session: Session,
  items: readonly Item[],
  read: (item: Item) => Promise<T>,
): Promise<(T | undefined)[]> {
  const unread = (failure: Failure) => {
    session.endWith('partial')
    session.warn(failureWarning(session, failure))
    return undefined
  }
  const isOfOne = (failure: Failure) => !endsReads(failure)
  return session.waiting.readEach('resources', items, session.resolved.values.concurrency, (item) =>
    read(item).catch(onFailure(isOfOne, unread)),
  )
}

function decodedName(name: string | null | undefined): string {
  return spellingsOf(name).at(-1) ?? ''
}

/** Undefined for a resource in the trash or incomplete: it is not a copy. */
async function readCandidate(
  presence: PresenceCheck,
  resource: ResourcePath,
  reads: boolean,
): Promise<Candidate | undefined> {
  const kept = await presence.read(resource)
  if ('lack' in kept) return undefined
  const {name, platform = null, stamp} = kept
  // Bytes speak for themselves.
  if (!reads && stamp !== undefined && (await presence.unfinished(resource))) return undefined
  return {uuid: resource.uuid, name: decodedName(name), platform, stamp}
}

function provenByStamp(group: readonly Candidate[]): DuplicateRow[] {
  return alike(group, ({stamp}) => stamp).map((same) => duplicateRow(same, same[0]?.stamp, 'stamp'))
}

/** Groups of equal bytes; and, of equal stamps, those whose bytes contradict their stamp. */
function provenByContent(group: readonly Candidate[]): DuplicateRow[] {
  const proven = alike(group, ({content}) => content).map((same) => duplicateRow(same, same[0]?.content, 'content'))
  const refuted = alike(group, ({stamp}) => stamp).flatMap((same) => {
    const lying = same.filter(({content, stamp}) => content !== undefined && content !== stamp)
    return lying.length === 0 ? [] : [duplicateRow(lying, lying[0]?.stamp, 'refuted')]
  })
  return [...proven, ...refuted]
}

function alike<Item>(items: readonly Item[], keyOf: (item: Item) => string | undefined): Item[][] {
  const known = items.filter((item) => keyOf(item) !== undefined)
  return [...grouped(known, (item) => keyOf(item) ?? '').values()].filter((group) => group.length > 1)
}

function duplicateRow(
  same: readonly Candidate[],
  sha256: string | undefined,
  proof: DuplicateRow['proof'],
): DuplicateRow {
  const [{name, platform} = {name: '', platform: null}] = same
  return {name, platform, sha256: sha256 ?? '', uuids: same.map(({uuid}) => uuid), proof}
}

function noteUnstamped(session: Session, candidates: readonly Candidate[]): void {
  const count = candidates.filter(({stamp}) => stamp === undefined).length
  if (count === 0) return
  const what = count === 1 ? '1 resource shares its name and has' : `${count} resources share their names and have`
  session.warn(`note: ${what} no stamp; to compare the content, add --read`)
}
