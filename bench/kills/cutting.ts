import {type AddressInfo, connect, createServer, type Socket} from 'node:net'
import {type KillOptions, runUntil, storedIn, withService} from './killing.js'
import {Traffic} from './traffic.js'

/** The results of the cuts. */
export interface CutReport {
  /** Connections that were cut. */
  readonly cuts: number
  /** Services, and runs of the program. */
  readonly rounds: number
  readonly runs: number
  /** Uploads without a successful run. */
  readonly failed: number
  /** Files that the services do not hold, hold twice, and hold with other bytes. */
  readonly missing: number
  readonly doubled: number
  readonly unequal: number
}

type CutOptions = Omit<KillOptions, 'killsEach' | 'rounds' | 'shows' | 'head' | 'cut'> & {
  /** Connections to cut: in total, and for each service. */
  readonly cuts: number
  readonly cutsEach: number
}

const mostRuns = 30

/**
 * Uploads files to the official tus server through a proxy that cuts connections at random bytes of requests and answers, repeats the
 * same command until it ends with 0, and compares what the server holds.
 */
export async function cutUploads(options: CutOptions): Promise<CutReport> {
  const report = {cuts: 0, rounds: 0, runs: 0, failed: 0, missing: 0, doubled: 0, unequal: 0}
  // The server as it comes: HEAD, no listing of what is unfinished, and the received part of a chunk is kept.
  const stock = {...options, rounds: 0, killsEach: 0, shows: 'hidden', head: true, cut: 'kept'} as const
  while (report.cuts < options.cuts) {
    report.rounds += 1
    await withService(stock, new Traffic(), async (scene) => {
      const {ROOMCTL_ASSET_URL: address = '', ...env} = scene.service.env
      const proxy = await cuttingProxy(new URL(address), options)
      const through = {...scene.service, env: {...env, ROOMCTL_ASSET_URL: proxy.address}}
      let exit: number | null = null
      for (let runs = 0; runs < mostRuns && exit !== 0; runs += 1) {
        ;({exit} = await runUntil(stock, {...scene, service: through}, undefined))
        report.runs += 1
      }
      proxy.close()
      const {missing, doubled, unequal} = await storedIn(stock, scene)
      report.cuts += proxy.cuts()
      report.failed += exit === 0 ? 0 : 1
      report.missing += missing.length
      report.doubled += doubled.length
      report.unequal += unequal.length
    })
  }
  return report
}

/** Upper limits of the bytes before a cut, of requests and of responses. */
const mostSent = 600_000
const mostAnswered = 400

async function cuttingProxy(target: URL, {random, cutsEach}: CutOptions) {
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const service = connect(Number(target.port), target.hostname)
    const both = [client, service]
    const never = Number.POSITIVE_INFINITY
    const isSent = random() < 0.7
    const left = {sent: isSent ? random() * mostSent : never, answered: isSent ? never : random() * mostAnswered}
    const end = () => {
      for (const socket of both) socket.destroy()
    }
    const pass = (from: Socket, to: Socket, direction: 'sent' | 'answered') => {
      let passed = 0
      from.on('data', (bytes: Buffer) => {
        const limit = cuts < cutsEach ? left[direction] : never
        passed += bytes.length
        if (passed <= limit) return void to.write(bytes)
        cuts += 1
        from.removeAllListeners('data')
        to.write(bytes.subarray(0, Math.max(0, bytes.length - (passed - limit))), end)
      })
      from.on('error', end)
      from.on('close', end)
    }
    for (const socket of both) open.add(socket)
    pass(client, service, 'sent')
    pass(service, client, 'answered')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  const address = new URL(target)
  address.port = String(port)
  return {
    address: address.href,
    cuts: () => cuts,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
