import * as z from 'zod/mini'
import type {ChangeEffects, Method, Operation} from './operation.js'
import {id, none, nothing, roomPath, unshown} from './shapes.js'

type Shared = Omit<Operation, 'method' | 'route' | 'change'>

/** A change has its effects beside its entry; the compiler asks for them. */
type SideEffect =
  | {readonly effect: 'read'; readonly change?: never}
  | {readonly effect: 'state' | 'create'; readonly change: ChangeEffects}

/** Defines the operations of a service without what most of them share. The compiler keeps their exact shapes. */
function definitionsOf<const D extends Partial<Shared>>(usual: D) {
  return <
    const E extends Omit<Shared, keyof D> &
      Partial<Pick<Shared, keyof D & keyof Shared>> &
      (D extends {effect: 'read'} ? unknown : SideEffect) & {readonly request: `${Method} /${string}`},
  >(
    entry: E,
  ): Omit<D, keyof E> & Omit<E, 'request'> & Pick<Operation, 'method' | 'route'> => {
    const {request, ...rest} = entry
    const [method, route] = request.split(' ') as [Method, string]
    return {method, route, ...usual, ...rest}
  }
}

export const runAgain = 'run the same command again'
export const setsSame = `${runAgain}: it sets the same values`
/** Each says who makes the request and in which states of a room. */
export const roomOperation = definitionsOf({service: 'room', path: roomPath, query: none, reply: nothing, fails: []})

const usualAsset = {
  service: 'asset',
  requester: 'none',
  states: 'any',
  path: z.strictObject({container: id}),
  catchAll: 'container',
  query: none,
  fails: [],
} as const

export const assetOperation = definitionsOf(usualAsset)

export const containerOperation = definitionsOf({...usualAsset, source: 'asset, Container operations'})

/** Reads one view of a resource. */
export const resourceOperation = definitionsOf({
  ...usualAsset,
  source: 'asset, Resource operations',
  effect: 'read',
  responseFormat: 'json',
})

export const pushOperation = definitionsOf({
  service: 'push',
  requester: 'none',
  states: 'any',
  assumed: 'docs/decisions/0010-assumed-push-routes.md',
  path: none,
  query: none,
  responseFormat: 'unshown',
  successes: [200, 204],
  reply: unshown,
  fails: [],
})
