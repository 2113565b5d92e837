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

export const assetOperation = entriesOf({
  service: 'asset',
  path: z.strictObject({container: id}),
  deep: 'container',
  query: none,
  fails: [],
})

export const pushOperation = entriesOf({
  service: 'push',
  assumed: 'docs/decisions/0010-assumed-push-routes.md',
  path: none,
  query: none,
  answers: 'unshown',
  reply: unshown,
  fails: [],
})
