import {spawn} from 'node:child_process'
import {mkdirSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {beginning, bundleWriter, ended, fileOf, ledgerIn, newFolder, noon} from './ledgerStage.js'

let writer: Awaited<ReturnType<typeof bundleWriter>>

beforeAll(async () => {
  writer = await bundleWriter()
})
afterAll(() => writer.remove())

/** Runs a script with a disk of its own at `$DIR`, of which nobody else knows; it is gone with the script. */
function onOwnDisk(dir: string, options: string, script: string) {
  mkdirSync(dir, {recursive: true})
  const whole = `mount -t tmpfs -o ${options} tmpfs "$DIR" || exit 99\n${script}`
  const child = spawn('sh', ['-c', 'exec unshare --map-root-user --mount bash -c "$SCRIPT"'], {
    env: {...process.env, SCRIPT: whole, DIR: dir, NODE: process.execPath, WRITER: writer.script, KEEP: dirname(dir)},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return ended(child)
}

test('a full disk is a failure that names the file; what was stored before it is there, and afterwards it goes on', async () => {
  const dir = newFolder()
  const ran = await onOwnDisk(
    dir,
    'size=128k,mode=700',
    `$NODE $WRITER fill "$DIR" before 3
     cat /dev/zero > "$DIR/filling" 2> /dev/null; truncate -s -4096 "$DIR/filling"
     $NODE $WRITER fill "$DIR" during 100000
     cp "$DIR/uploads.jsonl" "$KEEP/full.jsonl"
     rm "$DIR/filling"
     $NODE $WRITER fill "$DIR" after 3
     cp "$DIR/uploads.jsonl" "$KEEP/uploads.jsonl"`,
  )
  expect(ran.code).toBe(0)
  const {stored, facts} = JSON.parse(ran.stdout)
  expect(facts).toMatchObject({exit: 'file', try: expect.stringContaining('--state-dir')})
  expect(facts.message).toBe(
    `cannot write the ledger of uploads ${fileOf(dir)}: the disk is full or a size limit was reached`,
  )

  const ids = (await ledgerIn(dirname(dir))).list().map(({id}) => id)
  expect(ids.filter((id) => id.startsWith('before'))).toHaveLength(3)
  expect(ids.filter((id) => id.startsWith('during'))).toHaveLength(stored)
  expect(ids.slice(-3)).toEqual(['after-0', 'after-1', 'after-2'])
})

test('a folder that may only be read can be looked at, and is a failure when something is to be stored', async () => {
  const dir = newFolder()
  const ran = await onOwnDisk(
    dir,
    'size=256k,mode=700',
    `$NODE $WRITER fill "$DIR" before 2
     mount -o remount,ro "$DIR"
     $NODE $WRITER look "$DIR"
     $NODE $WRITER fill "$DIR" during 1`,
  )
  expect(ran).toMatchObject({code: 0, stderr: ''})
  const [seen = '', failed = ''] = ran.stdout.trim().split('\n')
  expect(JSON.parse(seen)).toEqual(['before-0', 'before-1'])
  const {stored, facts} = JSON.parse(failed)
  expect({stored, exit: facts.exit}).toEqual({stored: 0, exit: 'file'})
  expect(facts.message).toBe(`cannot write the ledger of uploads ${fileOf(dir)}: the file system is read-only`)
})

test('a ledger that goes on after its folder was cleared keeps what comes then', async () => {
  const dir = newFolder()
  const ledger = await ledgerIn(dir)
  await ledger.begin(beginning('a'))
  rmSync(fileOf(dir))
  expect(ledger.list()).toEqual([])
  await ledger.acked('a', {from: 0, to: 10})
  await ledger.begin(beginning('b'))
  expect(ledger.list()).toMatchObject([{id: 'b', begunAt: noon.toISOString()}])
})
