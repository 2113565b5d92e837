import * as appConfig from './appConfig.js'
import * as asset from './asset.js'
import * as attendee from './attendee.js'
import type {Operation} from './operation.js'
import * as push from './push.js'
import * as record from './record.js'
import * as room from './room.js'

export const operations = [
  room.createRoom,
  room.listRooms,
  room.getRoom,
  room.updateRoom,
  attendee.listAttendees,
  attendee.add,
  attendee.token,
  attendee.block,
  attendee.restore,
  room.remove,
  room.end,
  room.presenter,
  room.delegate,
  record.start,
  record.stop,
  record.listRecordings,
  room.sendData,
  room.adminUpdate,
  appConfig.createConfiguration,
  appConfig.updateConfiguration,
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

export function operationById(id: string): Operation | undefined {
  return operations.find((entry) => entry.id === id)
}
