import {createRequire} from 'node:module'
import path from 'node:path'
import {Writable} from 'node:stream'
import {run} from '../src/cli/app/run.js'
import {processRuntime, type Runtime} from '../src/cli/runtime/runtime.js'
import {published} from '../src/main.js'
import {OutputWriter} from '../src/terminal/output.js'

// `room watch -o ndjson` in a world whose waits take no time: it looks as many times as its argument says. Prints how many events
// it reported, and the size of the collected heap after them. Needs --expose-gc.

const polls = Number(process.argv[2])
const early = Math.ceil(polls / 10)
const heap: Record<number, number> = {}
const controller = new AbortController()
let looks = 1
let events = 0
let waitedMs = 0

const counting = new Writable({
  decodeStrings: false,
  write: (chunk, _encoding, done) => {
    events += String(chunk)
      .split('\n')
      .filter((line) => line !== '').length
    done()
  },
})

async function sleep(ms: number): Promise<void> {
  waitedMs += ms
  if (looks === early || looks === polls) {
    globalThis.gc?.()
    heap[looks] = process.memoryUsage().heapUsed
  }
  if (looks === polls) controller.abort()
  looks += 1
}

const runtime: Runtime = Object.create(
  processRuntime(() => Promise.reject(new Error('the bench has a service'))),
  {
    stdout: {value: new OutputWriter(counting)},
    sleep: {value: sleep},
    now: {value: () => new Date(Date.now() + waitedMs)},
    signal: {value: controller.signal},
    interruption: {value: () => (controller.signal.aborted ? 'interrupted' : undefined)},
  },
)
const {filesBelow} = createRequire(import.meta.url)('../bin/run.cjs')
const options = published(filesBelow(path.resolve(import.meta.dirname, '..')))
const exit = await run(['room', 'watch', '-o', 'ndjson'], runtime, options)
process.stdout.write(`${JSON.stringify({exit, events, early: heap[early], late: heap[polls]})}\n`)
process.exit(0)
