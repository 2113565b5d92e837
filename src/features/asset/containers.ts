import {addContainer, describe, head, options} from '../../api/contract/asset.js'
import {Failure, type FailureFacts, withFacts} from '../../api/contract/failure.js'
import type {Input, Output} from '../../api/contract/operation.js'
import {failureWarning} from '../../cli/output/failures.js'
import type {Session} from '../../cli/session/session.js'
import {safeText, shellWord} from '../../text/text.js'
import type {CarriedHeaders, ContainerMethods} from '../../view/asset/cards.js'
import {type MutationFlags, mutate} from '../mutation/mutate.js'
import {escapePath, parseContainer, pathArgument} from './paths.js'

interface NewContainer extends Required<Pick<Input<typeof addContainer>, 'body'>> {
  readonly container: string
  /** The address of the service, to read the uri that comes back. */
  readonly base: URL
}

/** Creates a container at the path that was typed, and says so where the service put it elsewhere. Raises a Failure. */
export async function createContainer(session: Session, flags: MutationFlags, wanted: NewContainer): Promise<void> {
  const {container, body, base} = wanted
  const made = mutate(session, flags, {
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
  await made.catch((error: unknown) => {
    throw withFacts(error, ({httpStatus}) => (httpStatus === 404 ? asChild(container, body) : {}))
  })
}

/** The advice for a service that takes the path as the parent of the new container, which the document leaves open. */
function asChild(container: string, {name, description}: NewContainer['body']): Partial<FailureFacts> {
  const parent = container.split('/').slice(0, -1).join('/')
  if (parent === '' || !container.endsWith(`/${name}`)) return {}
  return {
    why: 'the service may take the path as the parent of the new container, and there is none at this path',
    try: `roomctl asset create ${pathArgument(parent)} --name ${shellWord(name)} --description ${shellWord(description)}`,
  }
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
  // All of it is words of the service, which may repeat what it was sent in any encoding.
  const mask = <T>(value: T) => session.secrets.maskKnownIn(value)
  const said = {options: mask(carriedHeaders(byOptions)), head: mask(carriedHeaders(byHead))}
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

type Reply = Failure | Output<typeof head>

async function settledReply<T>(call: Promise<T>): Promise<T | Failure> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Failure && error.facts.exit !== 'interrupted') return error
    throw error
  }
}

function carriedHeaders(reply: Reply): CarriedHeaders | null {
  if (reply instanceof Failure) return null
  const {allow = null, link = null, body = null, ...headers} = reply
  const others = Object.entries(headers).filter(([name]) => !transportHeaders.has(name))
  return {allow, link, body, headers: Object.fromEntries(others)}
}

/** Headers that say nothing of the container, but of the answer and its way here. */
const transportHeaders: ReadonlySet<string> = new Set([
  ...['age', 'cache-control', 'connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['server', 'set-cookie', 'strict-transport-security', 'transfer-encoding', 'vary', 'via', 'x-powered-by'],
])

function sourcesOf({options: first, head: second}: Pick<ContainerMethods, 'options' | 'head'>, name: 'allow' | 'link') {
  const carriers = [
    ['OPTIONS', first],
    ['HEAD', second],
  ] as const
  return carriers.filter(([, said]) => typeof said?.[name] === 'string').map(([method]) => method)
}
