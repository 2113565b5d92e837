/**
 * What a run learns of the service. It holds for every file of the run: one of them finds it out, and the others need not.
 */
export class Service {
  /** Whether it tells by HEAD how far an upload is. */
  head: 'unknown' | 'yes' | 'no' = 'unknown'
  /** Whether it takes Upload-Checksum with the algorithm of this run. */
  checksum: 'unproven' | 'accepted' | 'refused' = 'unproven'
  /** Whether the addresses of its uploads hold the credential. */
  leaks = false
  /** The largest chunk that is tried, after larger ones were refused. */
  largest = Number.POSITIVE_INFINITY
  /** HEAD is being tried. */
  probing: Promise<void> | undefined
  #pause: {readonly ms: number; readonly why: string; readonly over: Promise<unknown>} | undefined

  /** Lets nothing be sent until `over` settles; `ms` and `why` are for those who wait. Joins a pause that is on. */
  pause(ms: number, why: string, over: Promise<void>): void {
    const pause = {ms, why, over: Promise.all([this.#pause?.over, over])}
    this.#pause = pause
    const end = () => {
      if (this.#pause === pause) this.#pause = undefined
    }
    pause.over.then(end, end)
  }

  /** Waits as long as the run pauses; `held` is told of it. */
  async pass(held: (ms: number, why: string) => void): Promise<void> {
    for (let pause = this.#pause; pause; pause = this.#pause) {
      held(pause.ms, pause.why)
      await pause.over
    }
  }
}
