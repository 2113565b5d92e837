import {cpSync, existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs'
import path from 'node:path'
import {expect} from 'vitest'
import {freshPlace, type Place, type Ran} from '../stories/place.js'
import {afterFile} from '../support/afterFile.js'
import {passTime, strangers, valuesIn} from './look.js'
import {type Fault, tool} from './tool.js'
import {everyFile} from './written.js'
import type {Written} from './writtenFile.js'

/** The initial contents of a place, made once for a test file: a seeded sandbox. */
let template: Promise<Place> | undefined

async function makeTemplate(run: typeof tool): Promise<Place> {
  afterFile(() => {
    template = undefined
  })
  const place = freshPlace()
  const ran = await run(place, {words: ['sandbox', 'reset', '--seed', 'demo']})
  expect(ran).toMatchObject({exit: 0})
  return place
}

/** A place with the value 1 in a file. */
export async function placeWith(entry: Written, run = tool): Promise<Place> {
  template ??= makeTemplate(run)
  const from = await template
  const place = freshPlace()
  cpSync(path.join(from.dir, 'data'), path.join(place.dir, 'data'), {recursive: true})
  entry.prepare?.(place.dir)
  await run(place, entry.write(1))
  expect(valuesIn(entry, place.dir)).toEqual([1])
  return place
}

/** The file of that name. */
export function fileNamed(name: string): Written {
  const found = everyFile.find((entry) => entry.name === name)
  if (!found) throw new Error(`there is no ${name} in the list`)
  return found
}

/** The folder of a file, created if missing. */
export function folderOf({folder}: Written, {dir}: Place): string {
  const whole = path.join(dir, folder)
  mkdirSync(whole, {recursive: true})
  return whole
}

/** A command whose call was met by the fault. */
export interface Met extends Ran {
  /** `rename config.json.tmp-...`. */
  readonly call: string
  /** The value to write, and the values before and after it. */
  readonly n: number
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** Leftovers beside the file. */
  readonly left: readonly string[]
}

/**
 * Writes value after value in a place of `placeWith`, the fault being done at the first call that changes the disk, then at the second and so on, until a
 * command ends before its call is reached. `look` gets each; the last one is returned.
 */
export async function atEveryCall(
  place: Place,
  entry: Written,
  kind: Fault['kind'],
  look: (met: Met) => void,
  run = tool,
) {
  const faultLog = path.join(place.dir, 'fault')
  for (let at = 1; at < 100; at += 1) {
    passTime(folderOf(entry, place))
    const before = valuesIn(entry, place.dir)
    const n = at + 1
    const ran = await run(place, entry.write(n), {fault: {kind, at}, below: entry.folder})
    if (!existsSync(faultLog)) return {ran, n, calls: at - 1}
    const call = readFileSync(faultLog, 'utf8').trim()
    rmSync(faultLog)
    look({...ran, call, n, before, after: valuesIn(entry, place.dir), left: strangers(entry, place.dir)})
  }
  throw new Error(`${entry.name} is written without end`)
}
