import {addContainer, describe, head, options} from '../../api/contract/asset.js'
import {Failure} from '../../api/contract/failure.js'
import type {Input} from '../../api/contract/operation.js'
import {failureWarning} from '../../cli/output/failures.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import type {CarriedHeaders, ContainerMethods} from '../../view/asset/cards.js'
import {type MutationFlags, mutate} from '../mutation/mutate.js'
import {escapePath, parseContainer} from './paths.js'

interface NewContainer extends Required<Pick<Input<typeof addContainer>, 'body'>> {
  readonly container: string
  /** The address of the service, to read the uri that comes back. */
  readonly base: URL
}

/** Creates a container at the path that was typed, and says so where the service put it elsewhere. Raises a Failure. */
export async function createContainer(session: Session, flags: MutationFlags, wanted: NewContainer): Promise<void> {
  const {container, body, base} = wanted
  await mutate(session, flags, {
    operation: addContainer,
    input: () => ({path: {container}, body}),
    members: ['container', 'uuid', 'uri', ...Object.keys(body)],
    result: ({reply: {uuid, uri}}) => {
      const made = readUri(uri, base)
      if (made !== undefined && made !== container) {
        session.warn(
          `note: the service took ${safeText(container)} as the parent: the new container is ${safeText(made)}`,
        )
      }
      const place = made ?? container
      const value = {container: escapePath(place), uuid: uuid ?? null, uri: uri ?? null, ...body}
      const named = uuid ? ` (${safeText(uuid)})` : ''
      return {value, id: value.container, sentence: `created container ${safeText(place)}${named}`}
    },
  })
}

/** Gives a container another description. Raises a Failure. */
export async function describeContainer(
  session: Session,
  flags: MutationFlags,
  {container, description}: {readonly container: string; readonly description: string},
): Promise<void> {
  const value = {container: escapePath(container), description}
  await mutate(session, flags, {
    operation: describe,
    input: () => ({path: {container}, body: {description}}),
    members: ['container', 'description'],
    result: () => ({value, id: value.container, sentence: `described container ${safeText(container)}`}),
  })
}

/** Where a uri of an answer leads; undefined where it names no container of this service. */
function readUri(uri: string | null | undefined, base: URL): string | undefined {
  if (!uri) return undefined
  try {
    return parseContainer(uri, base)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/**
 * Asks a container by OPTIONS and by HEAD. A service may have only one of them: the other is then noted on stderr. Raises the
 * Failure of OPTIONS where neither is answered.
 */
export async function containerMethods(session: Session, container: string): Promise<ContainerMethods> {
  const path = {container}
  const [byOptions, byHead] = await Promise.all([
    settledReply(session.api.call(options, {path})),
    settledReply(session.api.call(head, {path})),
  ])
  if (byOptions instanceof Failure && byHead instanceof Failure) throw byOptions
  for (const one of [byOptions, byHead]) {
    if (one instanceof Failure) session.warn(failureWarning(session, one).replace('error:', 'note:'))
  }
  const said = {options: carriedHeaders(byOptions), head: carriedHeaders(byHead)}
  const allow = said.options?.allow ?? said.head?.allow ?? null
  return {
    container: escapePath(container),
    allow: allow === null ? null : allow.split(/[\s,]+/u).filter((method) => method !== ''),
    allow_from: sourcesOf(said, 'allow'),
    link: said.options?.link ?? said.head?.link ?? null,
    link_from: sourcesOf(said, 'link'),
    ...said,
  }
}

type Reply = Failure | {readonly allow?: string | null | undefined; readonly link?: string | null | undefined}

async function settledReply<T>(call: Promise<T>): Promise<T | Failure> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Failure && error.facts.exit !== 'interrupted') return error
    throw error
  }
}

function carriedHeaders(reply: Reply): CarriedHeaders | null {
  return reply instanceof Failure ? null : {allow: reply.allow ?? null, link: reply.link ?? null}
}

function sourcesOf({options: first, head: second}: Pick<ContainerMethods, 'options' | 'head'>, name: 'allow' | 'link') {
  const carriers = [
    ['OPTIONS', first],
    ['HEAD', second],
  ] as const
  return carriers.filter(([, said]) => typeof said?.[name] === 'string').map(([method]) => method)
}
