import type {Operation} from '../../contract/operation.js'
import type {AnyOperation} from '../../contract/operations.js'
import {fillAdvice, type Values} from '../../rules/templates.js'

type ChangeId = Extract<AnyOperation, {effect: 'state' | 'create'}>['id']

/** How to find out whether a change was made whose answer was lost, or what to do where the service does not tell. */
const ways: Readonly<Record<ChangeId, string>> = {
  'room.create': 'roomctl room list tells whether the room was created; look before you create it again',
  'room.update': 'roomctl room show {roomId} tells whether it was changed',
  'room.adminUpdate': 'roomctl room show {roomId} tells whether it was changed',
  'room.delete': 'roomctl room show {roomId} tells whether it is still there',
  'room.end': 'roomctl room show {roomId} tells whether it has ended',
  'room.presenter': 'the service does not tell who presents; setting the presenter again does no harm',
  'room.delegate': 'roomctl attendee list {roomId} tells who is host',
  'room.send': 'the service does not tell what was sent; ask somebody in the room before you send it again',
  'attendee.add': 'roomctl attendee list {roomId} tells who is on the list',
  'attendee.token': 'roomctl attendee token {roomId} {userId} asks for another token, which does no harm',
  'attendee.block': 'roomctl attendee list {roomId} --present tells who is still in the room',
  'attendee.restore': 'run the same command again: the service refuses to restore somebody who is not blocked any more',
  'record.start': 'run the same command again: a refusal with RE001 says that the recording is running',
  'record.stop': 'run the same command again: a refusal with RE001 says that no recording is running any more',
  'appConfig.create':
    'the service does not show the configuration; roomctl config app update sets it if it was created',
  'appConfig.update': 'run the same command again: it sets the same values',
  'asset.create': 'roomctl asset info {container} tells whether it was created; look before you create it again',
  'asset.describe': 'roomctl asset info {container} tells whether it was changed',
  'asset.upload': 'run the same command again: it begins a new upload, and one that was begun holds no bytes',
  'asset.patch': 'run the same command again: it asks the service how far the upload is, and goes on from there',
  'push.register': 'run the same command again: it registers the same token for the same user',
  'push.send': 'the service does not show what was sent; roomctl push records may tell; look before you send it again',
  'push.broadcast':
    'the service does not show its requests; roomctl push records may tell; look before you send it again',
  'push.modify':
    'run the same command again: it sets the same values, and a refusal with 403 says that it has been sent',
  'push.cancel': 'run the same command again: a refusal says that it has been sent, or is cancelled already',
  'push.iosKey': 'roomctl push show --application-id {application_id} tells what is registered',
  'push.iosCertificate': 'roomctl push show --application-id {application_id} tells what is registered',
  'push.android': 'roomctl push show --application-id {application_id} tells what is registered',
}

/** The command that tells what became of a change, or the advice where none does; nothing for an operation of no document. */
export function wayOutOfDoubt({id}: Operation, values: Values): string | undefined {
  const way = (ways as Readonly<Record<string, string | undefined>>)[id]
  return way === undefined ? undefined : fillAdvice(way, values)
}
