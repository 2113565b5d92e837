import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import {expect, test} from 'vitest'
import type {Place} from '../stories/place.js'
import {inOneProcess, type LineEnd} from '../support/inOneProcess.js'
import {valuesIn} from './look.js'
import {placeWith} from './stage.js'
import {toolInOneProcess} from './tool.js'
import {everyFile} from './written.js'
import type {Written} from './writtenFile.js'

// The folder of the file is a disk of its own (tmpfs), in a name space of users and mounts that any user may make and no other
// sees; it is gone with its process.
const type = inOneProcess([], ['unshare', '--map-root-user', '--mount'])
const run = toolInOneProcess(type)

interface DiskFault {
  readonly name: string
  readonly make: string
  readonly undo: string
  /** The prefix that drops root's privileges from the writing process. */
  readonly without?: string
  /** The message of the refusal. */
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
    make: 'chmod 500 "$DISK"; chmod 400 "$FILE"',
    undo: 'chmod 700 "$DISK"; chmod 600 "$FILE"',
    without: 'setpriv --bounding-set -dac_override,-dac_read_search',
    reason: /permission denied/u,
    sparesAppended: true,
  },
]

const program = path.resolve(import.meta.dirname, '../../bin/run.cjs')

/** Writes the value `n` under a fault. */
function write(entry: Written, n: number, place: Place, {without}: DiskFault): Promise<LineEnd> {
  if (without === undefined) return run(place, entry.write(n))
  const {words, env = {}} = entry.write(n)
  const quoted = [process.execPath, program, ...words].map((word) => `'${word}'`)
  return type({shell: `exec ${without} ${quoted.join(' ')}`, cwd: place.dir, env: {...place.env, ...env}})
}

test.each(everyFile)(
  '$name on a disk that fails is as it was, and is written again once the disk works',
  {
    timeout: 60_000,
  },
  async (entry) => {
    const place = await placeWith(entry, run)
    const below = (name: string) => path.join(place.dir, name)
    const env = {...place.env, DISK: below(entry.folder), FILE: below(entry.file), SEEN: below('seen')}
    const sh = (shell: string) => type({shell, cwd: place.dir, env})
    const mounted = await sh(`cp -a "$DISK" "$DISK.before" && mount -t tmpfs -o size=2m,mode=700 tmpfs "$DISK" &&
      cp -a "$DISK.before/." "$DISK"`)
    expect(mounted).toMatchObject({exit: 0, stderr: ''})
    const tries: {readonly fault: DiskFault; readonly end: LineEnd; readonly kept: string}[] = []
    for (const [at, fault] of faults.entries()) {
      await sh(fault.make)
      const end = await write(entry, at + 2, place, fault)
      expect(await sh(`cp "$FILE" "$SEEN" && ${fault.undo}`)).toMatchObject({exit: 0, stderr: ''})
      tries.push({fault, end, kept: readFileSync(below('seen'), 'utf8')})
    }
    const last = await run(place, entry.write(9))
    const unmounted = await sh('cp -a "$DISK/." "$DISK.before" && umount "$DISK" && cp -a "$DISK.before/." "$DISK"')
    expect(unmounted).toMatchObject({exit: 0, stderr: ''})

    let before: readonly number[] = [1]
    for (const [at, {fault, end, kept}] of tries.entries()) {
      const {stderr: said, exit} = end
      writeFileSync(below(`${entry.file}.seen`), kept)
      const after = valuesIn({...entry, file: `${entry.file}.seen`}, place.dir)
      const refused = entry.refusal.test(said)
      if (!(fault.sparesAppended && entry.isAppended)) expect(refused, `${fault.name}: ${said}`).toBe(true)
      if (refused) expect(said, fault.name).toMatch(fault.reason)
      expect({fault: fault.name, exit}, said).toEqual({fault: fault.name, exit: refused ? entry.exit : entry.done})
      if (refused) expect(after, fault.name).toEqual(before)
      else expect(after.at(-1), fault.name).toBe(at + 2)
      before = after
    }
    expect([last.exit, valuesIn(entry, place.dir).at(-1)]).toEqual([entry.done, 9])
  },
)
