import {cpSync, existsSync, readFileSync, statSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {freshPlace, type Place} from '../stories/place.js'
import {everyCase} from '../support/everyCase.js'
import {valuesIn} from './look.js'
import {type Obstacle, obstacles, obstruct} from './obstacles.js'
import {refusals} from './refusals.js'
import {placeWith} from './stage.js'
import {toolInOneProcess} from './tool.js'
import {everyFile} from './written.js'
import type {Written} from './writtenFile.js'

const run = toolInOneProcess()
const bases = new Map<Written, Promise<Place>>()

/** A new place with the value 1 in the file. */
async function copyOf(entry: Written): Promise<Place> {
  const base = bases.get(entry) ?? placeWith(entry, run)
  bases.set(entry, base)
  const {dir} = await base
  const place = freshPlace()
  for (const name of ['config', 'state', 'data', 'out']) {
    if (existsSync(path.join(dir, name))) cpSync(path.join(dir, name), path.join(place.dir, name), {recursive: true})
  }
  // The values to upload do not change, except their times.
  entry.prepare?.(place.dir)
  return place
}

describe.each(everyFile.filter(({name}) => name in refusals))('of $name', (entry) => {
  const sentences = refusals[entry.name] ?? {}

  test('another kind of file in its place is refused with what to do, or makes no difference', {timeout: 300_000}, () =>
    everyCase(Object.keys(obstacles) as Obstacle[], async (obstacle) => {
      const place = await copyOf(entry)
      const victim = obstruct(obstacle, place.dir, entry)
      const ran = await run(place, entry.write(2))
      const said = ran.stderr.replaceAll(place.dir, '~')
      const sentence = sentences[obstacle]
      if (sentence === undefined) {
        expect({exit: ran.exit, newest: valuesIn(entry, place.dir).at(-1)}, said).toEqual({exit: entry.done, newest: 2})
        expect(said).not.toMatch(entry.refusal)
      } else {
        expect(said).toBe(`${sentence.join('\n')}\n`)
        expect(ran.exit).toBe(entry.exit)
      }
      if (obstacle === 'a link to a file of the user') {
        expect([readFileSync(victim, 'utf8'), statSync(victim).mode & 0o777]).toEqual(['mine\n', 0o644])
      }
      if (obstacle === 'modes that let all users write' && entry.isOurs) {
        const modes = [entry.file, entry.folder].map((name) => statSync(path.join(place.dir, name)).mode & 0o777)
        expect(modes).toEqual([0o600, 0o700])
      }
    }),
  )
})
