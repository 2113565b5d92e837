import {Failure} from '../../api/contract/failure.js'
import {type RunningServer, serve} from '../../api/http/server/serve.js'
import type {Transport} from '../../api/http/wire/transport.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'

/** What a served service is called, for the lines that make a shell use it. */
export interface ServedService {
  readonly name: 'room' | 'asset' | 'push'
  /** Path below the server's address. */
  readonly path: string
  readonly token: string
}

/**
 * Serves a transport on a loopback port until the command is interrupted, and says how to use it. Ctrl-C and SIGTERM end
 * it cleanly, with the exit code of the signal. Raises a Failure (network) when the port cannot be had.
 */
export async function serveUntilInterrupted(
  session: Session,
  handler: Transport,
  port: number,
  services: readonly ServedService[],
): Promise<void> {
  const view = await resultView(session, ['url', 'environment'])
  const served = await listen(handler, port)
  const variables = Object.fromEntries(
    services.flatMap(({name, path, token}) => [
      [`ROOMCTL_${name.toUpperCase()}_URL`, new URL(path, served.url).href],
      [`ROOMCTL_${name.toUpperCase()}_TOKEN`, token],
    ]),
  )
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}`)
  await presentDone(session, view, {url: served.url.href, environment: variables}, served.url.href, lines.join('\n'))
  session.progress('serving the sandbox; Ctrl-C to stop. The lines above make roomctl use it')
  await interruption(session.runtime.signal)
  await served.close()
  session.endWith('interrupted')
}

async function listen(handler: Transport, port: number): Promise<RunningServer> {
  try {
    return await serve(handler, {port})
  } catch (error) {
    throw new Failure(
      {
        exit: 'network',
        message: (error as Error).message,
        try: 'choose another port with --port, or a free one with --port 0',
      },
      {cause: error},
    )
  }
}

function interruption(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
