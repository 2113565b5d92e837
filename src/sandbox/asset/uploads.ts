import * as asset from '../../api/contract/asset.js'
import type {WireResponse} from '../../api/http/wire/transport.js'
import {InterruptibleBody} from '../wire/fault.js'
import type {ServiceOptions} from '../wire/service.js'
import {assertContract, emptyResponse, refusePlain} from '../wire/service.js'
import {isoUtc, newIdentity} from '../world/world.js'
import {stateNotWritten} from '../world/worldFile.js'
import {type AssetCall, findContainer, resourceUri} from './operations.js'
import {openTus, type StoredUpload, type Tus, type TusResponse} from './tusServer.js'
import {checksumAlgorithms, checkVersion, readChunkHeaders, readCreateHeaders, tusVersion} from './uploadHeaders.js'

/** The tus server's answer in this service's words, with the headers that the document names. */
function tusReply({status, headers, message}: TusResponse, names: readonly string[], now: Date): WireResponse {
  if (status >= 400) return refusePlain(status, message)
  const shown = names.flatMap((name): [string, string][] =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  )
  return emptyResponse(status, Object.fromEntries(shown), now)
}

export function openUploads({store, now, files}: ServiceOptions) {
  let opened: Promise<Tus> | undefined
  const tus = () => {
    opened ??= openTus(files).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  /** The tus server fails only if its store cannot write. Throws Failure then. */
  function assertStored<Answer extends TusResponse>(reply: Answer): Answer {
    if (reply.status >= 500) throw stateNotWritten(files, reply.failure)
    return reply
  }

  /** Adds a complete upload to the world, once: the process that received its last byte may have been killed before. */
  async function addIfComplete(upload: StoredUpload | undefined): Promise<void> {
    if (upload === undefined || upload.offset < upload.size) return
    const {uuid, size, facts} = upload
    await store.addResource({...facts, id: newIdentity().id, uuid, size, createdAt: isoUtc(now())})
  }

  async function find({container, uuid}: AssetCall): Promise<StoredUpload> {
    // Other names could lead out of the folder.
    const upload = /^[\w-]+$/.test(uuid) ? await (await tus()).find(uuid) : undefined
    if (upload?.facts.container === container) return upload
    return refusePlain(404, `upload ${uuid} does not exist in container ${container}`)
  }

  return {
    async create({request, world, container}: AssetCall) {
      checkVersion(request.headers)
      findContainer(world, container)
      const {facts, size} = readCreateHeaders(request, container)
      const location = (uuid: string) => `${request.url.origin}${resourceUri(container, uuid)}`
      const created = assertStored(await (await tus()).create(facts, size, location))
      if (size === 0) await addIfComplete({uuid: created.uuid, facts, size, offset: 0})
      const answer = tusReply(created, ['location'], now())
      assertContract(asset.upload, answer.headers)
      return answer
    },

    async patch(call: AssetCall) {
      const {request} = call
      checkVersion(request.headers)
      const upload = await find(call)
      const chunk = readChunkHeaders(request)
      const body = new InterruptibleBody(request, chunk.length)
      const reply = await (await tus()).patch(upload.uuid, {...chunk, bytes: body.bytes()})
      if (body.failure) throw body.failure
      assertStored(reply)
      await addIfComplete({...upload, offset: Number(reply.headers['upload-offset'] ?? upload.offset)})
      const answer = tusReply(reply, ['upload-offset'], now())
      assertContract(asset.patch, answer.headers)
      return answer
    },

    async head(call: AssetCall) {
      checkVersion(call.request.headers)
      const upload = await find(call)
      await addIfComplete(upload)
      const reply = assertStored(await (await tus()).head(upload.uuid))
      return tusReply(reply, ['upload-offset', 'upload-length', 'cache-control'], now())
    },

    /** Capabilities that tus requires; the document is silent. */
    async options() {
      const facts = {
        'tus-version': tusVersion,
        'tus-extension': 'creation,checksum',
        'tus-checksum-algorithm': checksumAlgorithms.join(','),
      }
      return emptyResponse(204, facts, now())
    },
  }
}
