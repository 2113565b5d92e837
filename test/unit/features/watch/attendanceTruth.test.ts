import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {seeded} from '../../../../bench/kills/seeded.js'
import type {Runtime} from '../../../../src/cli/runtime/runtime.js'
import {Attendance} from '../../../../src/features/watch/attendance.js'
import {readRecording} from '../../../../src/features/watch/recording.js'
import {freshFolder} from '../../../support/folder.js'
import {isIn, type Recorded, record, type Stretch, type World} from './recorder.js'

const second = 1000
const minute = 60 * second
const length = 8 * minute
/** A return within this is not seen: an interval with its spread, the longest pause that is no gap, and two answers. */
const shortest = 20 * second

type Random = () => number
const between = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from))

function stretches(random: Random, gapMs: readonly [number, number], lengthMs: readonly [number, number]): Stretch[] {
  const made: Stretch[] = []
  for (let at = between(random, ...gapMs); at < length; at += between(random, ...gapMs)) {
    const to = at + between(random, ...lengthMs)
    made.push({from: at, to})
    at = to
  }
  return made
}

/** Runs of one recorder: most ended by a kill, some of them stopped for a while. */
function runsOf(random: Random, quietAt: readonly number[]) {
  const runs: {from: number; killedAt: number; stops: Stretch[]; random: Random}[] = []
  for (let from = between(random, 0, 20 * second); from < length; from += between(random, second, 40 * second)) {
    // A watch that is killed right after the clock was set back has not noticed it.
    const wanted = from + between(random, 30 * second, 5 * minute)
    const killedAt = quietAt.reduce(
      (at, quiet) => (quiet <= at && at < quiet + 30 * second ? quiet + 30 * second : at),
      wanted,
    )
    const stops = random() < 0.5 ? stretches(random, [30 * second, 3 * minute], [2 * second, 90 * second]) : []
    runs.push({from, killedAt, stops, random})
    from = killedAt
  }
  return runs
}

/** The lines of a run, whole or in two pieces. */
function piecesOf(random: Random, {lines}: Recorded): string[][] {
  const cut = random() < 0.3 ? between(random, 0, lines.length) : 0
  return [lines.slice(0, cut), lines.slice(cut)].filter((piece) => piece.length > 0)
}

/** Whether a run was cut between events of one reading. */
function isCutWithin([first, second]: readonly string[][]): boolean {
  const at = (line = '') => /"at":"[^"]*"/u.exec(line)?.[0]
  return second !== undefined && at(first?.at(-1)) === at(second[0])
}

/** Files of pieces that are glued together in any order. */
function filesOf(random: Random, folder: string, pieces: readonly string[][]): string[] {
  const files: string[][] = Array.from({length: between(random, 1, 4)}, () => [])
  for (const piece of pieces.toSorted(() => random() - 0.5)) files[between(random, 0, files.length)]?.push(...piece)
  return files
    .filter((lines) => lines.length > 0)
    .map((lines, at) => {
      const file = path.join(folder, `${at}.ndjson`)
      writeFileSync(file, lines.join(''))
      return file
    })
}

async function scene(seed: number, folder: string) {
  const random = seeded(seed)
  const stays = () => stretches(random, [shortest, 3 * minute], [shortest, 3 * minute])
  const isSet = random() < 0.4
  const steps = isSet ? [{at: between(random, minute, 5 * minute), byMs: between(random, -90, 90) * 2 * second}] : []
  const world: World = {
    people: new Map(['ann', 'ben', 'eve'].map((user) => [user, stays()])),
    steps: steps.filter(({byMs}) => byMs !== 0),
    outages: random() < 0.3 ? stretches(random, [minute, 4 * minute], [second, minute]) : [],
  }
  const setBack = world.steps.flatMap(({at, byMs}) => (byMs < 0 ? [at] : []))
  const recorders = Array.from({length: random() < 0.5 ? 1 : 2}, () => runsOf(random, setBack))
  const recorded = await Promise.all(recorders.flat().map((run) => record(world, run)))
  const lines = recorded.flatMap((one) => one.lines)
  // No recording shows that a clock was set back during a gap (docs/limits.md).
  if (lines.length === 0 || (setBack.length > 0 && !lines.some((line) => line.includes('"repeated":true'))))
    return undefined
  const isCopied = seed % 5 === 0
  const pieces = recorded.map((run) => piecesOf(random, run))
  const isLoose = isCopied || setBack.length > 0 || pieces.some(isCutWithin)
  const runtime = {signal: new AbortController().signal} as Runtime
  const span = {since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY}
  const {reader} = await readRecording(
    runtime,
    filesOf(random, folder, isCopied ? [...pieces.flat(), ...pieces.flat()] : pieces.flat()),
    (repeated) => new Attendance({...span, repeated}),
  )
  const rows = new Map(reader.rows().map((row) => [row.user_id, row]))
  const readings = recorded.flatMap((one) => one.readings)
  return Array.from(world.people, ([user, all]) => {
    const minutesOf = (some: readonly Stretch[]) => some.reduce((sum, {from, to}) => sum + to - from, 0) / minute
    // An unseen stay is in no row.
    const seen = all.filter((stay) => readings.some((at) => isIn([stay], at)))
    return {seed, truth: minutesOf(all), seen: minutesOf(seen), row: rows.get(user), isLoose}
  })
}

type Checked = NonNullable<Awaited<ReturnType<typeof scene>>>[number]

function isOutside({row, truth, seen}: Checked): boolean {
  const {minutes_least: least = 0, minutes_most: most = 0} = row ?? {}
  return least > truth || (most !== null && seen > most)
}

/** Whether the bounds are further apart than the unseen minutes and two looks for each session. Scenes with a clock set back, a copy or a cut reading are exempt. */
function isWide({row, isLoose}: Checked): boolean {
  if (row === undefined || row.minutes_most === null || isLoose) return false
  return row.minutes_most - row.minutes_least > row.unseen_minutes + (2 * shortest * row.sessions) / minute
}

test('the truth is within the bounds: sleeps, steps of the clock, kills, outages, two recorders, files in any order', async () => {
  const folder = freshFolder()
  const checked: Checked[][] = []
  for (let seed = 1; checked.length < 1000; seed += 1) {
    const people = await scene(seed, folder)
    if (people) checked.push(people)
  }
  const all = checked.flat()
  expect(all.filter(isOutside)).toEqual([])
  expect(all.filter(isWide)).toEqual([])
  expect(all.filter(({row}) => row !== undefined && row.minutes_most !== null).length).toBeGreaterThan(1000)
}, 60_000)
