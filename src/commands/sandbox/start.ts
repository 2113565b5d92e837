import * as Flags from '@oclif/core/flags'
import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples} from '../../cli/flags/flags.js'
import {parseWholeNumber} from '../../cli/flags/parseValues.js'
import {routeFlags} from '../../cli/session/routes.js'
import {sandboxFolder} from '../../cli/session/session.js'
import {choiceFlags, choicesOf, dataFlag, seedFlag} from '../../features/sandbox/flags.js'
import {serveUntilInterrupted} from '../../features/sandbox/serve.js'
import {assetPrefix} from '../../sandbox/asset/operations.js'
import {configureSandbox, seedSandbox} from '../../sandbox/demo/scenarios.js'
import {parseOptions} from '../../sandbox/parseOptions.js'
import {pushPrefix} from '../../sandbox/push/operations.js'
import {mediaPrefix} from '../../sandbox/room/operations.js'
import {createSandbox, servedToken} from '../../sandbox/sandbox.js'
import {fileStore, uploadsFolder} from '../../sandbox/world/store.js'

export default class SandboxStart extends LocalCommand {
  static override summary = 'Serve the sandbox on a port of this machine'
  static override description =
    `Serves the sandbox of -p sandbox over HTTP on 127.0.0.1, for scripts, other clients and several shells; --data uses a
separate one. Prints the addresses and the lines that make roomctl use it, and runs until Ctrl-C.`
  static override flags = {
    port: Flags.string({helpValue: 'N', default: '4170', summary: 'port; 0 picks a free one'}),
    data: dataFlag,
    seed: seedFlag,
    ...choiceFlags,
  }
  static override examples = commandExamples({
    'With demonstration rooms': 'roomctl sandbox start --seed demo',
    'A service where one call in ten fails': 'roomctl sandbox start --port 0 --fail 503:10% --data trial',
    'Uploads on a bad network: each connection breaks once, and HEAD is not answered':
      'roomctl sandbox start --port 0 --seed demo --cut-after 1MiB --no-head',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(SandboxStart)
    const session = await this.open(flags, {editing: true})
    const port = parseWholeNumber('--port', flags.port, {max: 65_535})
    const folder = sandboxFolder(session, flags.data)
    const store = fileStore(folder)
    const choices = {...choicesOf(flags), ...parseOptions(flags)}
    // A route that no client could call is none to answer at.
    await routeFlags(flags.route ?? [])
    await configureSandbox(store, choices)
    if (flags.seed !== undefined) await seedSandbox(store, 'demo', session.runtime.now())
    const token = await servedToken(store)
    const sandbox = createSandbox({store, now: session.runtime.now, token, files: uploadsFolder(folder)})
    await serveUntilInterrupted(session, sandbox, port, [
      {name: 'room', path: mediaPrefix, token},
      {name: 'asset', path: assetPrefix.service, token},
      {name: 'push', path: pushPrefix, token},
    ])
  }
}
