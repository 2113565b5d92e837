import {ambiguities, defaultAmbiguityChoices} from '../../api/contract/ambiguities.js'
import type {PresenceChange} from '../../sandbox/demo/scenarios.js'
import type {SandboxStatus} from '../../sandbox/demo/status.js'
import type {Choices, SentMessage} from '../../sandbox/world/world.js'
import {safeText, shellWord, someOf} from '../../text/text.js'
import type {CardView, Column} from '../format/columns.js'
import {type SectionList, section} from '../format/table.js'
import {noSandboxRooms} from '../room/room.js'

/** `ben entered r-1; the room is MEETING`. */
export function describePresenceChange({room_id: room, notes}: PresenceChange): string {
  return `room ${safeText(room)}: ${notes.map((note) => safeText(note)).join('; ')}`
}

const rooms: SectionList<SandboxStatus['rooms'][number]> = {
  empty: noSandboxRooms,
  columns: [
    {name: 'room_id', label: 'id', id: true},
    {name: 'name', fit: 'name'},
    {name: 'room_status', label: 'status'},
    {name: 'host'},
    {name: 'present', value: ({present}) => present.join(' '), fit: 'name'},
    {name: 'blocked', value: ({blocked}) => blocked.join(' ')},
    {name: 'recording'},
    {name: 'metadata', ifKnown: true, kept: true},
  ],
}

const messages: SectionList<SentMessage> = {
  empty: 'nothing was sent',
  columns: [
    {name: 'roomId', label: 'room', id: true},
    {name: 'from'},
    {name: 'to', value: ({to}) => (to.length === 0 ? 'everybody' : to.join(' '))},
    {name: 'data', fit: 'prose'},
    {name: 'at', time: 'second'},
  ],
}

/** A kind of things that commands of its service show: their names, and how many more there are. */
function named(label: string, names: (state: SandboxStatus) => readonly string[]): Column<SandboxStatus> {
  return {
    name: label.replace(' ', '_'),
    label,
    value: names,
    show: (state) => someOf(names(state), namesShown) || 'none',
  }
}

const namesShown = 5

export const sandboxCard: CardView<SandboxStatus> = {
  title: ({rooms: all}) => `sandbox with ${all.length} rooms`,
  id: ({rooms: all}) => all.map(({room_id: id}) => id).join('\n'),
  columns: [
    {name: 'choices', label: 'readings', show: ({choices}) => choicesText(choices) || 'default'},
    {
      name: 'configuration',
      show: ({configuration}) =>
        configuration ? `${configuration.application_id}: ${words(configuration.values)}` : 'none',
    },
    {
      name: 'push_transactions',
      label: 'push transactions',
      value: ({push}) => push.transactions,
      show: ({push}) => words(push.transactions) || 'none',
    },
    named('events', ({events}) => events.map(({event, roomId}) => `${event} ${roomId}`)),
    named('containers', ({containers}) => containers.map(({path}) => path)),
    named('files', ({resources}) => resources.map(({name}) => name)),
    named('unfinished uploads', ({uploads}) => uploads.map(({name, offset, bytes}) => `${name} ${offset}/${bytes}`)),
    named('push devices', ({push}) => push.users.map((user) => user.user_id)),
    named('push requests', ({push}) => push.requests.map(({title, status}) => `${title} (${status})`)),
    named('push credentials', ({push}) => push.applications.map((one) => one.application_id)),
  ],
  sections: (state) => [section('rooms', state.rooms, rooms), section('data sent', state.messages, messages)],
}

/** The choices that differ from the defaults, as flags of `sandbox start`: `--document push-all=refuse --fail 503:10%`. */
export function choicesText(choices: Partial<Choices>): string {
  const {fail = [], latencyMs = 0, cutAfter, stall, maxChunk, routes = {}} = choices
  const taken = Object.entries(ambiguities).flatMap(([key, [name]]) => {
    const value = choices[name] ?? defaultAmbiguityChoices[name]
    return value === defaultAmbiguityChoices[name] ? [] : [`--document ${key}=${value}`]
  })
  const faults = [
    ...fail.map(({percent, ...rule}) => `--fail ${rule.kind === 'code' ? rule.code : rule.status}:${percent}%`),
    ...(latencyMs > 0 ? [`--latency ${latencyMs}ms`] : []),
    ...(cutAfter ? [`--cut-after ${cutAfter}`] : []),
    ...(stall ? ['--stall'] : []),
    ...(maxChunk ? [`--max-chunk ${maxChunk}`] : []),
  ]
  const moved = Object.entries(routes).map(([id, {method, path}]) => `--route ${shellWord(`${id}=${method} ${path}`)}`)
  return [...taken, ...faults, ...moved].join(' ')
}

/** `SUCCESS 5, FAILED 1`. */
function words(members: object): string {
  const shown = Object.entries(members).filter(([, value]) => !isEmpty(value))
  return shown.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(', ')
}

function isEmpty(value: unknown): boolean {
  return value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0)
}
