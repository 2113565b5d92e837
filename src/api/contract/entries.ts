import * as z from 'zod/mini'
import type {Method, Operation} from './operation.js'
import {id, none, nothing, roomPath, unshown} from './shapes.js'

type Shared = Omit<Operation, 'method' | 'route'>

/** Makes the entries of a service without what most of them share. The compiler keeps their exact shapes. */
function entriesOf<const D extends Partial<Shared>>(usual: D) {
  return <
    const E extends Omit<Shared, keyof D> &
      Partial<Pick<Shared, keyof D & keyof Shared>> & {readonly request: `${Method} /${string}`},
  >(
    entry: E,
  ): Omit<D, keyof E> & Omit<E, 'request'> & Pick<Operation, 'method' | 'route'> => {
    const {request, ...rest} = entry
    const [method, route] = request.split(' ') as [Method, string]
    return {method, route, ...usual, ...rest}
  }
}

export const roomOperation = entriesOf({service: 'room', path: roomPath, query: none, reply: nothing, fails: []})

const usualAsset = {
  service: 'asset',
  path: z.strictObject({container: id}),
  deep: 'container',
  query: none,
  fails: [],
} as const

export const assetOperation = entriesOf(usualAsset)

export const containerOperation = entriesOf({...usualAsset, source: 'asset, Container operations'})

/** Reads one view of a resource. */
export const resourceOperation = entriesOf({
  ...usualAsset,
  source: 'asset, Resource operations',
  effect: 'read',
  answers: 'json',
})

export const pushOperation = entriesOf({
  service: 'push',
  assumed: 'docs/decisions/0010-assumed-push-routes.md',
  path: none,
  query: none,
  answers: 'unshown',
  successes: [200, 204],
  reply: unshown,
  fails: [],
})
