import {once} from 'node:events'
import {serve} from '../../api/http/server/serve.js'
import type {Transport} from '../../api/http/wire/transport.js'
import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, defaultedFlag, yesFlag} from '../../cli/flags/flags.js'
import {parseWholeNumber} from '../../cli/flags/parseValues.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {assertLocallyWritable} from '../../cli/session/readOnly.js'
import type {Session} from '../../cli/session/session.js'
import {choiceFlags, choicesOf, dataFlag, seedFlag} from '../../features/sandbox/flags.js'
import {assetPrefix} from '../../sandbox/asset/operations.js'
import {configureSandbox, seedSandbox} from '../../sandbox/demo/scenarios.js'
import {pushPrefix} from '../../sandbox/push/operations.js'
import {mediaPrefix} from '../../sandbox/room/operations.js'
import {createSandbox, servedToken} from '../../sandbox/sandbox.js'
import {fileStore, uploadsFolder} from '../../sandbox/world/store.js'

export default class SandboxStart extends LocalCommand {
  static override summary = 'Serve the sandbox on a port of this machine'
  static override description =
    `Serves the sandbox of -p sandbox over HTTP on 127.0.0.1, for scripts, other clients and several shells; --data uses a
separate one. Prints the addresses and the lines that make roomctl use it, and runs until Ctrl-C. The choices of --document
are kept until the next reset.`
  static override flags = {
    port: defaultedFlag('N', '4170', 'port; 0 picks a free one'),
    data: dataFlag,
    seed: seedFlag,
    ...choiceFlags,
    ...yesFlag,
  }
  static override examples = commandExamples({
    'With demonstration rooms': 'roomctl sandbox start --seed demo',
    'A service that refuses to delete ENDED rooms':
      'roomctl sandbox start --port 0 --document delete-ended=refuse --data trial',
  })

  async run(): Promise<void> {
    const {flags, session} = await this.start(SandboxStart, {editing: true})
    const port = parseWholeNumber('--port', flags.port, {max: 65_535})
    const folder = flags.data ?? session.paths.sandbox
    const store = fileStore(folder)
    const choices = choicesOf(flags)
    if (flags.seed !== undefined || Object.keys(choices).length > 0) assertLocallyWritable(session)
    await configureSandbox(store, choices)
    if (flags.seed !== undefined) await seedSandbox(store, session.runtime.now())
    const token = await servedToken(store)
    const sandbox = createSandbox({store, now: session.runtime.now, token, files: uploadsFolder(folder)})
    await serveUntilInterrupted(session, sandbox, port, token)
  }
}

/** Serves on a loopback port until Ctrl-C or SIGTERM, which set the exit code. */
async function serveUntilInterrupted(session: Session, handler: Transport, port: number, token: string): Promise<void> {
  const view = await resultView(session, ['url', 'environment'])
  const served = await serve(handler, {port})
  const variables = Object.fromEntries(
    Object.entries({ROOM: mediaPrefix, ASSET: assetPrefix.service, PUSH: pushPrefix}).flatMap(([name, path]) => [
      [`ROOMCTL_${name}_URL`, new URL(path, served.url).href],
      [`ROOMCTL_${name}_TOKEN`, token],
    ]),
  )
  const isPowerShell = session.runtime.platform === 'win32'
  const lines = Object.entries(variables).map(([name, value]) =>
    isPowerShell ? `$env:${name} = '${value}'` : `export ${name}=${value}`,
  )
  await presentDone(session, view, {url: served.url.href, environment: variables}, served.url.href, lines.join('\n'))
  session.progress('serving the sandbox; Ctrl-C to stop. The lines above make roomctl use it')
  const {signal} = session.runtime
  if (!signal.aborted) await once(signal, 'abort')
  await served.close()
  session.endWith('interrupted')
}
