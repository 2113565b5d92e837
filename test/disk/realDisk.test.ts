import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import {expect, test} from 'vitest'
import {type Ran, shell} from '../stories/place.js'
import {valuesIn} from './look.js'
import {placeWith} from './stage.js'
import {toolInOneProcess} from './tool.js'
import {everyFile} from './written.js'
import type {Written} from './writtenFile.js'

// The folder of the file is a disk of its own (tmpfs), in a name space of users and mounts that anybody may make and nobody else
// sees; it is gone with its script.

interface DiskFault {
  readonly name: string
  readonly make: string
  readonly undo: string
  /** What the refusal says. */
  readonly reason: RegExp
  /** One that is appended to needs no new name, may have room in its last block, and its owner gives it its mode again. */
  readonly sparesAppended?: true
}

const faults: readonly DiskFault[] = [
  {
    name: 'without a free block',
    make: 'cat /dev/zero > "$DISK/filling" 2> /dev/null',
    undo: 'rm "$DISK/filling"',
    reason: /the disk is full/u,
    sparesAppended: true,
  },
  {
    name: 'without room for another name',
    make: 'mount -o remount,nr_inodes=$(($(df --output=iused "$DISK" | tail -1))) "$DISK"',
    undo: 'mount -o remount,nr_inodes=1000 "$DISK"',
    reason: /the disk is full/u,
    sparesAppended: true,
  },
  {
    name: 'that is read-only',
    make: 'mount -o remount,ro "$DISK"',
    undo: 'mount -o remount,rw "$DISK"',
    reason: /the file system is read-only/u,
  },
  {
    name: 'whose file cannot be replaced',
    make: 'mount --bind "$FILE" "$FILE"',
    undo: 'umount "$FILE"',
    reason: /it is in use/u,
    sparesAppended: true,
  },
  {
    name: 'that the user has no right to write',
    make: 'chmod 500 "$DISK"; chmod 400 "$FILE"; WITHOUT="setpriv --bounding-set -dac_override,-dac_read_search"',
    undo: 'chmod 700 "$DISK"; chmod 600 "$FILE"; WITHOUT=',
    reason: /permission denied/u,
    sparesAppended: true,
  },
]

const prepare = toolInOneProcess()
const run = path.resolve(import.meta.dirname, '../../bin/run.cjs')

function line({write}: Written, n: number): string {
  const {words, env = {}} = write(n)
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return `env ${set.join(' ')} $WITHOUT "$NODE" "$RUN" ${words.map((word) => `'${word}'`).join(' ')}`
}

/** Each fault in turn: what the command said and how it ended, and the file after it. */
function script(one: Written): string {
  const tries = faults.map(
    ({make, undo}, at) => `
      ${make}
      ${line(one, at + 2)} > /dev/null 2> "$SEEN/said-${at}"; echo "$?"
      cp "$FILE" "$SEEN/file-${at}"
      ${undo}`,
  )
  return `
    mkdir "$SEEN"; cp -a "$DISK" "$DISK.before"
    mount -t tmpfs -o size=2m,mode=700 tmpfs "$DISK" || exit 99
    cp -a "$DISK.before/." "$DISK"
    ${tries.join('\n')}
    ${line(one, 9)} > /dev/null 2>&1; echo "$?"
    cp -a "$DISK/." "$DISK.before"; umount "$DISK"; cp -a "$DISK.before/." "$DISK"`
}

test.each(everyFile)(
  '$name on a disk that fails is as it was, and is written again once the disk is well',
  {
    timeout: 60_000,
  },
  async (one) => {
    const place = await placeWith(one, prepare)
    const below = (name: string) => path.join(place.dir, name)
    const ran: Ran = await shell(place, 'exec unshare --map-root-user --mount bash -c "$SCRIPT"', {
      env: {
        SCRIPT: script(one),
        DISK: below(one.folder),
        FILE: below(one.file),
        SEEN: below('seen'),
        NODE: process.execPath,
        RUN: run,
      },
    })
    const exits = ran.stdout.trim().split('\n').map(Number)
    expect(exits, ran.stderr).toHaveLength(faults.length + 1)
    let before: readonly number[] = [1]
    for (const [at, fault] of faults.entries()) {
      const said = readFileSync(below(`seen/said-${at}`), 'utf8')
      const kept = readFileSync(below(`seen/file-${at}`), 'utf8')
      writeFileSync(below(`${one.file}.seen`), kept)
      const after = valuesIn({...one, file: `${one.file}.seen`}, place.dir)
      const refused = one.refusal.test(said)
      if (!(fault.sparesAppended && one.isAppended)) expect(refused, `${fault.name}: ${said}`).toBe(true)
      if (refused) expect(said, fault.name).toMatch(fault.reason)
      expect({fault: fault.name, exit: exits[at]}, said).toEqual({
        fault: fault.name,
        exit: refused ? one.exit : one.done,
      })
      if (refused) expect(after, fault.name).toEqual(before)
      else expect(after.at(-1), fault.name).toBe(at + 2)
      before = after
    }
    expect([exits.at(-1), valuesIn(one, place.dir).at(-1)]).toEqual([one.done, 9])
  },
)
