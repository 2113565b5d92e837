import {spawn} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {printTable} from './print.js'
import {startService} from './world.js'

export interface WatchOptions {
  readonly polls: number
}

interface Watched {
  readonly exit: number
  readonly events: number
  /** Bytes of the heap after a tenth of the looks, and after all. */
  readonly early: number
  readonly late: number
}

/** A watch of 100 rooms with many polls: its memory. Throws an Error if an event was not reported. */
export async function benchWatch({polls}: WatchOptions): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  const service = await startService('watched.ts')
  try {
    const begun = performance.now()
    const {exit, events, early, late} = await watch(polls, {HOME: home, ROOMCTL_ROOM_URL: service.url})
    const seconds = (performance.now() - begun) / 1000
    const reply = await fetch(new URL('/made', service.url))
    const {data: made}: {data: number} = JSON.parse(await reply.text())
    if (exit !== 130 || events !== made) throw new Error(`exit ${exit}; ${events} events told of ${made}`)
    printTable(
      `room watch, ${polls} looks at 100 rooms in ${seconds.toFixed(0)} s; aim: every event once, and memory that does not grow`,
      ['', 'events made', 'events told', `heap at ${Math.ceil(polls / 10)}, MiB`, `heap at ${polls}, MiB`, 'ratio'],
      [['room watch', `${made}`, `${events}`, mib(early), mib(late), (late / early).toFixed(2)]],
    )
  } finally {
    service.close()
    rmSync(home, {recursive: true, force: true})
  }
}

async function watch(polls: number, env: Readonly<Record<string, string>>): Promise<Watched> {
  const script = path.join(import.meta.dirname, 'watching.ts')
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', script, `${polls}`], {
    env: {PATH: process.env.PATH, ...env, ROOMCTL_ROOM_TOKEN: 'bench'},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(await text(child.stdout))
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
