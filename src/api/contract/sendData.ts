import * as z from 'zod/mini'
import {roomOperation} from './defineOperation.js'
import {id, string} from './shapes.js'
import {silentEverywhere} from './states.js'

export const sendData = roomOperation({
  id: 'room.send',
  purpose: 'Send data to the people in a room',
  action: 'send data to room {roomId}',
  source: 'room, Operations outside the list',
  request: 'POST /v1/rooms/{roomId}/send-data',
  assumed: 'docs/decisions/0002-assumed-routes.md',
  effect: 'create',
  body: z.strictObject({from: id, to: z.optional(z.array(id)), data: string}),
  reply: z.looseObject({id}),
  requester: 'anybody',
  states: {
    code: undefined,
    in: silentEverywhere,
  },
  change: {
    mayHave: 'data may have been sent to room {roomId}',
    ifUnknown: 'the service does not show what was sent; ask somebody in the room before you send it again',
    journal: [],
    isShown: false,
  },
})
