import type {Exchange, Mischief} from './service.js'

type Deed = Mischief['does']

/** Answers with a status, after the body was read. */
export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Deed =>
  async ({request, response}) => {
    await read(request)
    response.writeHead(status, headers).end(body)
  }

/** Answers with a status and reads nothing of the body. */
export const refusesAtOnce =
  (status: number) =>
  ({response}: Pick<Exchange, 'request' | 'response'>) =>
    response.writeHead(status, {Connection: 'close'}).end()

/** Resets the connection after that many bytes of the body. */
export const resetsAfter =
  (readsOnly: number): Deed =>
  ({obey}) =>
    obey({readsOnly})

/** Resets the connection of a chunk that is longer than that, as a proxy with a limit does. */
export const cutsBeyond =
  (most: number): Deed =>
  ({request, obey}) =>
    obey(Number(request.headers['content-length']) > most ? {readsOnly: most} : {})

/** Carries out the request, and hangs up. */
export const losesAnswer: Deed = ({obey}) => obey({silent: true})

/** Reads nothing and says nothing. */
export const stalls: Deed = () => undefined

/** Carries out the request, and answers with these headers in place of its own. */
export const says =
  (headers: Readonly<Record<string, string | undefined>>): Deed =>
  ({obey}) =>
    obey({says: headers})

/** Stores nothing of the chunk, and answers as if all were well, with the offset as it was. */
export const drops: Deed = async ({request, response}) => {
  await read(request)
  const offset = String(request.headers['upload-offset'])
  response.writeHead(204, {'Upload-Offset': offset, 'Tus-Resumable': '1.0.0'}).end()
}

/** Has lost its bytes from that offset on. */
export const forgetsFrom =
  (offset: number): Deed =>
  ({uploads, uuid, obey}) => {
    const upload = uploads.get(uuid)
    if (upload) upload.bytes = upload.bytes.subarray(0, offset)
    return obey()
  }

/** Does not know the upload any more. */
export const vanishes: Deed = ({uploads, uuid, obey}) => {
  uploads.delete(uuid)
  return obey()
}

/** Carries out the request, after something else. */
export const meanwhile =
  (happens: () => unknown): Deed =>
  async ({obey}) => {
    await happens()
    return obey()
  }

async function read(request: Exchange['request']): Promise<void> {
  for await (const _ of request);
}
