import {Screen} from './screen.js'

/** The clock, the ticks that are due by it, and the lines that were written beside a progress. */
export const ticking = {
  time: 0,
  ticks: [] as {readonly ms: number; readonly call: () => void}[],
  notes: [] as string[],
}

export function resetTicking(): void {
  Object.assign(ticking, {time: 0, ticks: [], notes: []})
}

/** A terminal of that many columns, or a log; what a session needs to write there. */
export function tickingTerminal(env: Readonly<Record<string, string>>, columns: number | undefined) {
  const screen = new Screen(columns ?? 80)
  const stderr = columns === undefined ? {isTerminal: false, columns: undefined} : screen.output
  const every = (ms: number, call: () => void) => {
    const tick = {ms, call}
    ticking.ticks.push(tick)
    return () => {
      ticking.ticks = ticking.ticks.filter((one) => one !== tick)
    }
  }
  const progress = (text: string) => {
    ticking.notes.push(text)
    if (columns !== undefined) void screen.output.write(`${text}\n`)
  }
  const runtime = {env, stderr, every, now: () => new Date(ticking.time)}
  return {screen, part: {runtime, progress, waiting: {hold: () => () => undefined}}}
}

/** Lets tenths of a second pass, with every tick that is due in them. */
export function passTenths(count: number, each: (tenth: number) => void = () => undefined): void {
  for (let i = 1; i <= count; i += 1) {
    ticking.time += 100
    each(i)
    for (const {ms, call} of ticking.ticks) if (ticking.time % ms === 0) call()
  }
}
