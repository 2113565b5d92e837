import {safeText} from '../../text/text.js'
import type {CardView, ListView} from '../format/columns.js'
import {section} from '../format/columns.js'
import {type PushState, pushSections} from './sandboxPush.js'

/** What somebody's coming or going has done. */
export interface Played {
  readonly room_id: string
  readonly user_id: string
  readonly notes: readonly string[]
}

/** `ben entered r-1; the room is MEETING`. */
export function playedSentence({room_id: room, notes}: Played): string {
  return `room ${safeText(room)}: ${notes.map((note) => safeText(note)).join('; ')}`
}

interface RoomRow {
  readonly room_id: string
  readonly name: string
  readonly room_status: string
  readonly host: string | null
  readonly present: readonly string[]
  readonly blocked: readonly string[]
  readonly metadata: string | null
  readonly recording: string | null
}

interface Message {
  readonly id: string
  readonly roomId: string
  readonly from: string
  readonly to: readonly string[]
  readonly data: string
  readonly at: string
}

interface Event {
  readonly event: string
  readonly roomId: string
  readonly userId?: string
  readonly metadata?: string
  readonly at: string
}

interface ContainerRow {
  readonly path: string
  readonly type: string
  readonly description: string
  readonly resource_count: number
}

interface ResourceRow {
  readonly uuid: string
  readonly container: string
  readonly name: string
  readonly platform: string
  readonly bytes: number
  readonly asset_file_uuid: string | null
}

interface UploadRow {
  readonly uuid: string
  readonly container: string
  readonly name: string
  readonly offset: number
  readonly bytes: number
}

/** What `sandbox status` shows. */
export interface SandboxState {
  readonly rooms: readonly RoomRow[]
  readonly configuration: {readonly application_id: string; readonly values: object} | null
  readonly choices: object
  readonly messages: readonly Message[]
  readonly events: readonly Event[]
  readonly containers: readonly ContainerRow[]
  readonly resources: readonly ResourceRow[]
  readonly uploads: readonly UploadRow[]
  readonly push: PushState
}

const rooms: ListView<RoomRow> = {
  id: ({room_id: id}) => id,
  empty: 'no rooms; roomctl sandbox seed puts some into it',
  columns: [
    {name: 'room_id', label: 'id', value: (room) => room.room_id, id: true},
    {name: 'name', value: ({name}) => name, flex: true},
    {name: 'room_status', label: 'status', value: (room) => room.room_status},
    {name: 'host', value: ({host}) => host},
    {name: 'present', value: ({present}) => present.join(' '), flex: true},
    {name: 'blocked', value: ({blocked}) => blocked.join(' ')},
    {name: 'recording', value: ({recording}) => recording},
    {name: 'metadata', value: ({metadata}) => metadata},
  ],
}

const messages: ListView<Message> = {
  id: ({id}) => id,
  empty: 'nothing was sent',
  columns: [
    {name: 'roomId', label: 'room', value: ({roomId}) => roomId, id: true},
    {name: 'from', value: ({from}) => from},
    {name: 'to', value: ({to}) => (to.length === 0 ? 'everybody' : to.join(' '))},
    {name: 'data', value: ({data}) => data, flex: true},
    {name: 'at', value: ({at}) => at, show: ({at}, {time}) => time(at)},
  ],
}

const events: ListView<Event> = {
  id: ({event}) => event,
  empty: 'nothing happened',
  columns: [
    {name: 'event', value: ({event}) => event, id: true},
    {name: 'roomId', label: 'room', value: ({roomId}) => roomId},
    {name: 'about', value: ({userId, metadata}) => userId ?? metadata, flex: true},
    {name: 'at', value: ({at}) => at, show: ({at}, {time}) => time(at)},
  ],
}

const containers: ListView<ContainerRow> = {
  id: ({path}) => path,
  empty: 'no containers',
  columns: [
    {name: 'path', label: 'container', value: ({path}) => path, id: true},
    {name: 'type', value: ({type}) => type},
    {name: 'resource_count', label: 'files', value: (row) => row.resource_count},
    {name: 'description', value: ({description}) => description, flex: true},
  ],
}

const resources: ListView<ResourceRow> = {
  id: ({uuid}) => uuid,
  empty: 'no files',
  columns: [
    {name: 'uuid', value: ({uuid}) => uuid, id: true},
    {name: 'container', value: ({container}) => container, flex: true},
    {name: 'name', value: ({name}) => name, flex: true},
    {name: 'platform', value: ({platform}) => platform},
    {name: 'bytes', value: ({bytes}) => bytes},
    {name: 'asset_file_uuid', label: 'asset file', value: (row) => row.asset_file_uuid},
  ],
}

const uploads: ListView<UploadRow> = {
  id: ({uuid}) => uuid,
  empty: 'nothing is being uploaded',
  columns: [
    {name: 'uuid', value: ({uuid}) => uuid, id: true},
    {name: 'container', value: ({container}) => container, flex: true},
    {name: 'name', value: ({name}) => name, flex: true},
    {name: 'offset', value: ({offset}) => offset},
    {name: 'bytes', value: ({bytes}) => bytes},
  ],
}

/** The sandbox as a card: its choices as fields; rooms, messages, events, containers, files, uploads and pushes as lists. */
export const sandboxCard: CardView<SandboxState> = {
  title: ({rooms: all}) => `sandbox with ${all.length} rooms`,
  id: ({rooms: all}) => all.map(({room_id: id}) => id).join('\n'),
  columns: [
    {name: 'choices', label: 'readings', value: ({choices}) => choices, show: ({choices}) => words(choices)},
    {
      name: 'configuration',
      value: ({configuration}) => configuration,
      show: ({configuration}) =>
        configuration ? `${configuration.application_id}: ${words(configuration.values)}` : 'none',
    },
    {
      name: 'push_transactions',
      label: 'push transactions',
      value: ({push}) => push.transactions,
      show: ({push}) => words(push.transactions) || 'none',
    },
  ],
  sections: (state) => [
    section('rooms', state.rooms, rooms),
    section('data sent', state.messages, messages),
    section('events', state.events, events),
    section('containers', state.containers, containers),
    section('files', state.resources, resources),
    section('unfinished uploads', state.uploads, uploads),
    ...pushSections(state.push),
  ],
}

/** `deleteEnded allow, failStatus 4xx`. */
function words(members: object): string {
  const shown = Object.entries(members).filter(([, value]) => !isEmpty(value))
  return shown.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(', ')
}

/** What was not chosen. */
function isEmpty(value: unknown): boolean {
  return value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0)
}
