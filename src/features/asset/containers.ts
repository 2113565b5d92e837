import {type Advice, adviceAfter, shellWord} from '../../advice.js'
import {addContainer, describe, head, info, options} from '../../api/contract/asset.js'
import {basicContainer} from '../../api/contract/assetShapes.js'
import type {Input, Output} from '../../api/contract/operation.js'
import {failureWarning} from '../../cli/output/failures.js'
import {toSet} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, failureWith, onFailure, withFacts, wrongUsage} from '../../failure.js'
import {safeText} from '../../text/text.js'
import type {CarriedHeaders, ContainerMethods} from '../../view/asset/cards.js'
import {sendJournaled} from '../mutation/journal.js'
import {type MutationFlags, mutate} from '../mutation/mutate.js'
import {containerOf, escapePath, pathArgument} from './paths.js'

interface NewContainer extends Required<Pick<Input<typeof addContainer>, 'body'>> {
  readonly container: string
}

/** Creates a container at the typed path, and warns if the service put it elsewhere. Throws Failure. */
export async function createContainer(session: Session, flags: MutationFlags, wanted: NewContainer): Promise<void> {
  const {container: typed, body} = wanted
  const {base} = await session.api.access('asset')
  const {input, place: container} = creationOf(session, typed, body)
  const made = mutate(session, flags, {
    operation: addContainer,
    input: () => input,
    members: ['container', 'uuid', 'uri', ...Object.keys(body)],
    result: ({reply: {uuid, uri}}) => {
      const made = containerOf(uri, base)
      const place = made ?? container
      if (place !== container)
        session.warn(
          `note: the service took ${safeText(container)} as the parent: the new container is ${safeText(place)}`,
        )
      const value = {container: escapePath(place), uuid: uuid ?? null, uri: uri ?? null, ...body}
      const named = uuid ? ` (${safeText(uuid)})` : ''
      return {value, id: value.container, sentence: `created container ${safeText(place)}${named}`}
    },
  })
  await made.catch((error: unknown) => {
    const parent = parentOf(container)
    if (!isNotFound(error) || parent === '') throw error
    const creating = `create ${shellWord(pathArgument(parent))} first, or if it exists,`
    throw withFacts(error, () => ({why: unclearPath, try: adviceAfter(creating, otherReading(session))}))
  })
}

export function isTop(container: string): boolean {
  return !container.includes('/')
}

const unclearPath = 'the document does not say whether the path of a creation names the new container or its parent'

function parentOf(container: string): string {
  return container.split('/').slice(0, -1).join('/')
}

function otherReading(session: Session): Advice {
  const {resolved} = session
  const key = 'asset.containerPath'
  const value = resolved.values[key] === 'itself' ? 'parent' : 'itself'
  const configuring = ['asset.url', key] as const
  const isOfEnvironment = resolved.isSandbox || configuring.some((own) => resolved.source(own) === 'env')
  return isOfEnvironment ? `export ROOMCTL_ASSET_CONTAINER_PATH=${value}` : toSet(session, key, value)
}

/** The request that creates a container, and the resulting path. Throws Failure (usage) for a missing but required parent. */
function creationOf(session: Session, container: string, body: NewContainer['body']) {
  if (session.resolved.values['asset.containerPath'] === 'itself') {
    return {input: {path: {container}, body}, place: container}
  }
  const parent = parentOf(container)
  if (parent !== '') return {input: {path: {container: parent}, body}, place: `${parent}/${body.name}`}
  throw wrongUsage(`container ${container} cannot be created: it has no parent`, {
    why: 'asset.containerPath is parent: a creation names the parent of the new container',
    try: otherReading(session),
  })
}

/** The containers to create for one that is missing: parents that are missing too, then the container. Throws Failure. */
export async function containersToCreate(session: Session, container: string): Promise<string[]> {
  const paths = [container]
  // Upwards, so that nothing is asked of parents that this token may not read.
  for (let path = parentOf(container); path !== '' && (await isGone(session, path)); path = parentOf(path)) {
    paths.unshift(path)
  }
  const [first = container] = paths
  creationOf(session, first, {type: basicContainer, name: first, description: first})
  return paths
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Failure && (error.facts.httpStatus === 404 || error.facts.httpStatus === 410)
}

/** Describes it by its name. */
function createCommand(container: string): Advice {
  return {command: ['asset create', pathArgument(container), '--description', nameOf(container)]}
}

function nameOf(container: string): string {
  return container.split('/').at(-1) ?? container
}

/** The Failure of a container that does not exist. `create`: how it is created. */
export function missingContainer(container: string, create?: Advice): Failure {
  return failureWith('missing', `container ${container} does not exist; nothing was sent`, {
    code: 'missing',
    httpStatus: 404,
    try: create ?? createCommand(container),
  })
}

function isGone({api}: Session, container: string): Promise<boolean> {
  // A parent that this token may not read counts as existing: the service decides.
  const isAnswer = (failure: Failure) => isNotFound(failure) || failure.facts.exit === 'forbidden'
  return api.call(info, {path: {container}, query: {type: 'meta'}}).then(() => false, onFailure(isAnswer, isNotFound))
}

/** Creates a missing container and its parents, described by their names. True if another process did (409). Throws Failure. */
export async function createMissing(session: Session, container: string): Promise<boolean> {
  let createdByOther = false
  for (const path of await containersToCreate(session, container)) {
    createdByOther = await createOne(session, path)
  }
  return createdByOther
}

async function createOne(session: Session, path: string): Promise<boolean> {
  const {base} = await session.api.access('asset')
  const name = nameOf(path)
  const {input} = creationOf(session, path, {type: basicContainer, name, description: name})
  const facts = isTop(path)
    ? {why: 'the service may refuse containers at the top level', try: 'sync to a container below one that exists'}
    : {why: unclearPath, try: otherReading(session)}
  try {
    const {uri} = await sendJournaled(session, addContainer, input)
    const made = containerOf(uri, base) ?? path
    session.progress(`created container ${safeText(made)}`)
    if (made === path) return false
    const message = `the service created ${made}, not ${path}; no file was sent`
    throw failureWith('state', message, {code: 'elsewhere', outcome: 'applied', ...facts})
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.httpStatus !== 409) {
      // Its parent is known to be there.
      throw withFacts(error, ({httpStatus}) => (httpStatus === 404 || httpStatus === 405 ? facts : {}))
    }
    if (!(await isGone(session, path))) return true
    throw withFacts(error, () => facts)
  }
}

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

/** Asks a container by OPTIONS and HEAD; a service may lack one, which becomes a note. Throws the Failure of OPTIONS. */
export async function containerMethods(session: Session, container: string): Promise<ContainerMethods> {
  const path = {container}
  const settled = onFailure(
    ({facts}) => facts.exit !== 'interrupted' && facts.exit !== 'unconfirmed',
    (failure) => failure,
  )
  const [byOptions, byHead] = await Promise.all([
    session.api.call(options, {path}).catch(settled),
    session.api.call(head, {path}).catch(settled),
  ])
  if (byOptions instanceof Failure && byHead instanceof Failure) throw byOptions
  for (const read of [byOptions, byHead]) {
    if (read instanceof Failure) session.warn(failureWarning(session, read).replace('error:', 'note:'))
  }
  // All of it is text of the service, which may echo a secret in any encoding.
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
