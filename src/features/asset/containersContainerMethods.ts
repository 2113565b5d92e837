import {head, options} from '../../api/contract/asset.js'
import {Failure} from '../../api/contract/failure.js'
import {failureWarning} from '../../cli/output/failures.js'
import type {Session} from '../../cli/session/session.js'
import type {CarriedHeaders, ContainerMethods} from '../../view/asset/assetMethods.js'
import {escapedPlace} from './assetPath.js'

/**
 * Asks a container by OPTIONS and by HEAD. A service may have only one of them: the other is then noted on stderr. Raises the
 * Failure of OPTIONS where neither is answered.
 */
export async function containerMethods(session: Session, container: string): Promise<ContainerMethods> {
  const path = {container}
  const [byOptions, byHead] = await Promise.all([
    orFailure(session.api.call(options, {path})),
    orFailure(session.api.call(head, {path})),
  ])
  if (byOptions instanceof Failure && byHead instanceof Failure) throw byOptions
  for (const one of [byOptions, byHead]) {
    if (one instanceof Failure) session.warn(failureWarning(session, one).replace('error:', 'note:'))
  }
  const said = {options: carried(byOptions), head: carried(byHead)}
  const allow = said.options?.allow ?? said.head?.allow ?? null
  return {
    container: escapedPlace(container),
    allow: allow === null ? null : allow.split(/[\s,]+/u).filter((method) => method !== ''),
    allow_from: sourcesOf(said, 'allow'),
    link: said.options?.link ?? said.head?.link ?? null,
    link_from: sourcesOf(said, 'link'),
    ...said,
  }
}

type Reply = Failure | {readonly allow?: string | null | undefined; readonly link?: string | null | undefined}

async function orFailure<T>(call: Promise<T>): Promise<T | Failure> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Failure && error.facts.exit !== 'interrupted') return error
    throw error
  }
}

function carried(reply: Reply): CarriedHeaders | null {
  return reply instanceof Failure ? null : {allow: reply.allow ?? null, link: reply.link ?? null}
}

function sourcesOf({options: first, head: second}: Pick<ContainerMethods, 'options' | 'head'>, name: 'allow' | 'link') {
  const carriers = [
    ['OPTIONS', first],
    ['HEAD', second],
  ] as const
  return carriers.filter(([, said]) => typeof said?.[name] === 'string').map(([method]) => method)
}
