import {readdir} from 'node:fs/promises'
import {openTus} from '../../src/sandbox/asset/tusServer.js'
import {currentHost, presentAttendees} from '../../src/sandbox/room/rules.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import type {PushApplication, Room, World} from '../../src/sandbox/world/world.js'

// The state of the sandbox, under wire names, with what the services do not show.

export async function readSandboxStatus(store: WorldStore, files?: string) {
  const world = await store.read((current) => current)
  const {rooms, configuration, choices, containers, resources} = world
  return {
    rooms: rooms.map(roomStatus),
    configuration: configuration ? {application_id: configuration.applicationId, values: configuration.values} : null,
    choices,
    containers: containers.map(({path, type, description}) => {
      return {path, type, description, resource_count: resources.filter(({container}) => container === path).length}
    }),
    resources: resources.map(({uuid, container, name, platform, size, link}) => {
      return {uuid, container, name, platform, bytes: size, asset_file_uuid: link ?? null}
    }),
    uploads: files === undefined ? [] : await listUnfinishedUploads(files),
    push: pushStatus(world),
  }
}

function roomStatus(room: Room) {
  const {room_id, name, room_status, attendees, metadata, recording} = room
  return {
    room_id,
    name,
    room_status,
    host: currentHost(room)?.user_id ?? null,
    present: presentAttendees(room).map((entry) => entry.user_id),
    blocked: attendees.filter((entry) => entry.isBlocked).map((entry) => entry.user_id),
    // The JSON text that carries the presenter.
    metadata: metadata ?? null,
    // The layout of the running recording.
    recording: recording?.layout ?? null,
  }
}

/** The uploads in the folder that are not complete: `offset` of `bytes`. */
async function listUnfinishedUploads(folder: string) {
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

/** Secrets are masked; transactions are counted by status. */
function pushStatus({push: {users, requests, applications, transactions}}: World) {
  const counts = new Map<string, number>()
  for (const {status} of transactions) counts.set(status, (counts.get(status) ?? 0) + 1)
  return {
    users: users.map(({user_id, tokens}) => {
      return {user_id, tokens: tokens.map((one) => ({...one, push_token: masked(one.push_token)}))}
    }),
    requests: requests.map(({destination: _, dispatch_at = null, sent_at = null, ...request}) => {
      return {...request, dispatch_at, sent_at}
    }),
    applications: applications.map(applicationStatus),
    transactions: Object.fromEntries(counts),
  }
}

function applicationStatus({application_id, android, ios}: PushApplication) {
  return {
    application_id,
    package_name: android?.package_name ?? null,
    fcm_server_key: android?.fcm_server_key ? masked(android.fcm_server_key) : null,
    ios_apns_type: ios?.ios_apns_type ?? 'NONE',
    bundle_id: ios?.bundle_id ?? null,
    team_id: ios?.team_id ?? null,
    key_id: ios?.key_id ?? null,
    certificate_expiry_date: ios?.certificate_expiry_date ?? null,
  }
}

/** `AAAA*** (152 characters)`; without the beginning if that would reveal too much. */
function masked(secret: string): string {
  return `${secret.length < 20 ? '' : secret.slice(0, 4)}*** (${secret.length} characters)`
}
