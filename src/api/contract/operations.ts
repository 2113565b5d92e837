import * as asset from './asset.js'
import type {Operation} from './operation.js'
import * as push from './push.js'
import {roomOperations} from './stateRules.js'

export const operations = [
  ...roomOperations,
  asset.listContainer,
  asset.info,
  asset.addContainer,
  asset.describe,
  asset.options,
  asset.head,
  asset.upload,
  asset.patch,
  asset.getResource,
  asset.meta,
  asset.catalog,
  asset.bytes,
  push.register,
  push.sendToUsers,
  push.modify,
  push.broadcast,
  push.cancel,
  push.iosKey,
  push.iosCertificate,
  push.android,
  push.show,
  push.records,
] as const

export type AnyOperation = (typeof operations)[number]
export type OperationId = AnyOperation['id']

/** The changes that a later read can show. */
export type ShownChange = Extract<AnyOperation, {change: {isShown: true}}>['id']
export type ReversibleChange = Extract<AnyOperation, {change: {isReversible: true}}>['id']

export function operationById(id: string): Operation | undefined {
  return operations.find((entry) => entry.id === id)
}
