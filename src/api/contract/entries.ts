import * as z from 'zod/mini'
import type {Operation} from './operation.js'
import {id, none, nothing, roomPath, unshown} from './shapes.js'

/** Makes the entries of a service without what most of them share. The compiler keeps their exact shapes. */
function entriesOf<const D extends Partial<Operation>>(usual: D) {
  return <const E extends Omit<Operation, keyof D> & Partial<Pick<Operation, keyof D & keyof Operation>>>(
    entry: E,
  ): Omit<D, keyof E> & E => ({...usual, ...entry})
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

export const containerOperation = entriesOf({
  ...usualAsset,
  source: 'asset, Container operations',
  route: '/{container}/',
})

/** Reads one view of a resource. */
export const resourceOperation = entriesOf({
  ...usualAsset,
  source: 'asset, Resource operations',
  method: 'GET',
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
