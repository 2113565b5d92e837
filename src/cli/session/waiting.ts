import {mapConcurrently} from '../../selection/run.js'
import type {Live} from '../../terminal/live.js'
import {isPlain} from '../../terminal/output.js'
import {safeText} from '../../text/text.js'
import type {CommandOutcome, Runtime} from '../runtime/runtime.js'

/** Milliseconds in which a command may say nothing. */
const silentMs = 2000
/** Milliseconds between two lines of a log. */
const lineMs = 10_000
const frameMs = 100
/** Calls that follow each other within this time are one wait. */
const pauseMs = 300

/**
 * Says what a command waits for once it has been silent for two seconds: as a line that is repainted at the end of a terminal, or as
 * lines of a log. Under a machine format only a terminal shows it.
 */
export class Waiting {
  /** The hosts of the calls without an answer. */
  readonly #calls = new Set<{readonly host: string}>()
  /** Progress messages of long reads. */
  readonly #readings = new Set<() => string>()
  #held = 0
  #stop: (() => void) | undefined
  #begunAt = 0
  #endedAt = Number.NEGATIVE_INFINITY
  #quietUntil = 0
  #writes = 0
  #opening: Promise<Line> | undefined
  #line: Line | undefined

  /** `isLogged`: write lines if nothing can be repainted. */
  constructor(
    private readonly runtime: Runtime,
    private readonly say: CommandOutcome['progress'],
    private readonly isLogged: boolean,
  ) {}

  /** A call to a host; the returned function ends it. */
  call(host: string): () => void {
    return this.#begin(this.#calls, {host})
  }

  /** `text` says how far a reading is, until the returned function is called. */
  reading(text: () => string): () => void {
    return this.#begin(this.#readings, text)
  }

  /** The same for as long as `work` takes. */
  during<T>(text: () => string, work: () => Promise<T>): Promise<T> {
    return work().finally(this.reading(text))
  }

  /** `read` for each of the items, such as `rooms`, several at a time. Throws the first error. */
  readEach<Item, Result>(
    what: string,
    items: readonly Item[],
    concurrency: number,
    read: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    if (!this.#isShown) return mapConcurrently(items, concurrency, read)
    let done = 0
    const counted = (item: Item) =>
      read(item).finally(() => {
        done += 1
      })
    return this.during(
      () => `reading ${what}: ${done} of ${items.length}`,
      () => mapConcurrently(items, concurrency, counted),
    )
  }

  /** Silent until the returned function is called: other progress is shown. */
  hold(): () => void {
    this.#held += 1
    this.#line?.live.end()
    return () => {
      this.#held -= 1
    }
  }

  get #isShown(): boolean {
    return this.isLogged || this.runtime.stderr.isTerminal
  }

  #begin<Item>(all: Set<Item>, item: Item): () => void {
    all.add(item)
    if (this.#stop === undefined && this.#isShown) {
      const now = this.runtime.elapsed()
      if (now - this.#endedAt > pauseMs) {
        this.#begunAt = now
        this.#quietUntil = now + silentMs
      }
      this.#stop = this.runtime.every(frameMs, () => void this.#look())
    }
    return () => {
      all.delete(item)
      if (this.#calls.size + this.#readings.size > 0) return
      this.#stop?.()
      this.#stop = undefined
      this.#endedAt = this.runtime.elapsed()
      this.#line?.live.end()
    }
  }

  async #look(): Promise<void> {
    const {stdout, stderr, env, elapsed} = this.runtime
    const now = elapsed()
    const isBusy = this.#isBusy()
    const writes = stdout.writes + stderr.writes
    if (isBusy || writes !== this.#writes) this.#quietUntil = Math.max(this.#quietUntil, now + silentMs)
    this.#writes = writes
    if (isBusy || (stderr.live === undefined && now < this.#quietUntil)) return
    if (stderr.isTerminal && !isPlain(env)) return this.#paint(now)
    this.say(this.#text(now))
    this.#quietUntil = now + lineMs
  }

  /** Progress of another form is shown. */
  #isBusy(): boolean {
    const {stdout, stderr} = this.runtime
    return (
      this.#held > 0 || stdout.live !== undefined || (stderr.live !== undefined && stderr.live !== this.#line?.live)
    )
  }

  async #paint(now: number): Promise<void> {
    this.#opening ??= openLine(this.runtime)
    this.#line = await this.#opening
    // It may have ended while the line was loaded.
    if (this.#stop) this.#line.draw(this.#text(now))
  }

  /** The latest reading says more than its calls. */
  #text(now: number): string {
    const reading = [...this.#readings].at(-1)
    if (reading !== undefined) return reading()
    return `waiting for ${safeText([...this.#calls][0]?.host)}: ${Math.floor((now - this.#begunAt) / 1000)} s`
  }
}

interface Line {
  readonly live: Live
  readonly draw: (text: string) => void
}

async function openLine({stdout, stderr}: Runtime): Promise<Line> {
  const [{Live}, {cut, displayWidth}] = await Promise.all([
    import('../../terminal/live.js'),
    import('../../text/width.js'),
  ])
  const live = new Live(stderr, displayWidth)
  // Both are one terminal.
  if (stdout.isTerminal) stdout.before = () => live.end()
  return {live, draw: (text) => live.draw([cut(text, (stderr.columns ?? 80) - 1)])}
}
