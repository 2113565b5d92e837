import {readdir} from 'node:fs/promises'
import type {RoomState} from '../../api/contract/room.js'
import {openTus} from '../asset/tusServer.js'
import {currentHost, presentAttendees} from '../room/rules.js'
import type {Choices, Configuration} from '../world/choices.js'
import type {WorldStore} from '../world/store.js'
import type {PushApplication, PushRequest, PushUser, Room, SentMessage, World, WorldEvent} from '../world/world.js'

/** A room as the sandbox knows it, with what the service does not show. */
export interface RoomStatus {
  readonly room_id: string
  readonly name: string
  readonly room_status: RoomState
  readonly host: string | null
  readonly present: readonly string[]
  readonly blocked: readonly string[]
  /** The JSON text that carries the presenter. */
  readonly metadata: string | null
  /** The layout of the running recording. */
  readonly recording: string | null
}

export interface SandboxStatus {
  readonly rooms: readonly RoomStatus[]
  readonly configuration: {readonly application_id: string; readonly values: Configuration} | null
  readonly choices: Choices
  /** Data that was sent, oldest first. */
  readonly messages: readonly SentMessage[]
  readonly events: readonly WorldEvent[]
  readonly containers: readonly ContainerStatus[]
  readonly resources: readonly ResourceStatus[]
  /** What is still being uploaded. */
  readonly uploads: readonly UnfinishedUpload[]
  readonly push: PushStatus
}

function roomStatus(room: Room): RoomStatus {
  return {
    room_id: room.id,
    name: room.name,
    room_status: room.status,
    host: currentHost(room)?.userId ?? null,
    present: presentAttendees(room).map((entry) => entry.userId),
    blocked: room.attendees.filter((entry) => entry.isBlocked).map((entry) => entry.userId),
    metadata: room.metadata ?? null,
    recording: room.recording?.layout ?? null,
  }
}

/**
 * What there is in the sandbox, with everything that the service's own answers leave out; `files` is the folder of its
 * uploaded bytes.
 */
export async function readSandboxStatus(store: WorldStore, files?: string): Promise<SandboxStatus> {
  const world = await store.read((current) => current)
  const {rooms, configuration, choices, messages, events} = world
  return {
    rooms: rooms.map(roomStatus),
    configuration: configuration ? {application_id: configuration.applicationId, values: configuration.values} : null,
    choices,
    messages,
    events,
    ...containersAndResources(world),
    uploads: files === undefined ? [] : await listUnfinishedUploads(files),
    push: pushStatus(world),
  }
}

/** A container as the sandbox knows it. */
export interface ContainerStatus {
  readonly path: string
  readonly type: string
  readonly description: string
  readonly resource_count: number
}

/** A file that is there whole. */
export interface ResourceStatus {
  readonly uuid: string
  readonly container: string
  readonly name: string
  readonly platform: string
  readonly bytes: number
  readonly asset_file_uuid: string | null
}

/** A file that is not there whole; `offset` of its `bytes` are. */
export interface UnfinishedUpload {
  readonly uuid: string
  readonly container: string
  readonly name: string
  readonly offset: number
  readonly bytes: number
}

/** Containers and files, in the order in which they came to be. */
function containersAndResources({containers, resources}: World): {
  containers: ContainerStatus[]
  resources: ResourceStatus[]
} {
  return {
    containers: containers.map(({path, type, description}) => ({
      path,
      type,
      description,
      resource_count: resources.filter(({container}) => container === path).length,
    })),
    resources: resources.map(({uuid, container, name, platform, size, link}) => ({
      uuid,
      container,
      name,
      platform,
      bytes: size,
      asset_file_uuid: link ?? null,
    })),
  }
}

/** The uploads whose bytes are in the folder and not all there yet. A folder that is not there has none. */
async function listUnfinishedUploads(folder: string): Promise<UnfinishedUpload[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const uuids = names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
  if (uuids.length === 0) return []
  const tus = await openTus(folder)
  const uploads = await Promise.all(uuids.map((uuid) => tus.find(uuid)))
  return uploads.flatMap((upload) => {
    if (upload === undefined || upload.offset >= upload.size) return []
    const {uuid, facts, size, offset} = upload
    return [{uuid, container: facts.container, name: facts.name, offset, bytes: size}]
  })
}

/** The push service as the sandbox knows it, under wire names where there are any. Secrets are masked. */
export interface PushStatus {
  readonly users: readonly UserStatus[]
  readonly requests: readonly RequestStatus[]
  readonly applications: readonly ApplicationStatus[]
  /** How many there are of each status. */
  readonly transactions: Readonly<Record<string, number>>
}

export interface UserStatus {
  readonly user_id: string
  readonly tokens: readonly {readonly push_type: string; readonly push_token: string; readonly is_gone: boolean}[]
}

export interface RequestStatus {
  readonly request_uuid: string
  readonly application_id: string
  readonly status: string
  readonly dispatch_type: string
  /** When it is to be sent. ISO 8601 UTC. */
  readonly dispatch_at: string | null
  readonly sent_at: string | null
  readonly title: string
  readonly body: string
}

export interface ApplicationStatus {
  readonly application_id: string
  readonly package_name: string | null
  readonly fcm_server_key: string | null
  readonly ios_apns_type: string
  readonly bundle_id: string | null
  readonly team_id: string | null
  readonly key_id: string | null
  readonly certificate_expiry_date: string | null
}

function pushStatus({push: {users, requests, applications, transactions}}: World): PushStatus {
  const counts = new Map<string, number>()
  for (const {status} of transactions) counts.set(status, (counts.get(status) ?? 0) + 1)
  return {
    users: users.map(userStatus),
    requests: requests.map(requestStatus),
    applications: applications.map(applicationStatus),
    transactions: Object.fromEntries(counts),
  }
}

function userStatus({userId, tokens}: PushUser): UserStatus {
  return {
    user_id: userId,
    tokens: tokens.map(({type, token, isGone}) => ({
      push_type: type,
      push_token: masked(token),
      is_gone: isGone ?? false,
    })),
  }
}

function requestStatus({uuid, applicationId, status, dispatchType, dispatchAt, sentAt, title, body}: PushRequest) {
  return {
    request_uuid: uuid,
    application_id: applicationId,
    status,
    dispatch_type: dispatchType,
    dispatch_at: dispatchAt ?? null,
    sent_at: sentAt ?? null,
    title,
    body,
  }
}

function applicationStatus({applicationId, android, ios}: PushApplication): ApplicationStatus {
  const key = ios?.type === 'TOKEN' ? ios : undefined
  const certificate = ios?.type === 'CERTIFICATE' ? ios : undefined
  return {
    application_id: applicationId,
    package_name: android?.packageName ?? null,
    fcm_server_key: android ? masked(android.serverKey) : null,
    ios_apns_type: ios?.type ?? 'NONE',
    bundle_id: ios?.bundleId ?? null,
    team_id: key?.teamId ?? null,
    key_id: key?.keyId ?? null,
    certificate_expiry_date: certificate?.expiry ?? null,
  }
}

/** `AAAA*** (152 characters)`; the beginning only of one that is long enough to stay a secret. */
function masked(secret: string): string {
  return `${secret.length < 20 ? '' : secret.slice(0, 4)}*** (${secret.length} characters)`
}
