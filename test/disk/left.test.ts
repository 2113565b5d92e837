import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {whileFileLocked} from '../../src/storage/disk/lock.js'
import {freshPlace, type Place, shell} from '../stories/place.js'
import {inOneProcess} from '../support/inOneProcess.js'
import {passTime, strangers, valuesIn} from './look.js'
import {fileNamed, placeWith} from './stage.js'
import {tool, toolInOneProcess} from './tool.js'
import {everyFile} from './written.js'

const run = toolInOneProcess()

/** Seconds from now. */
const away = (seconds: number) => new Date(Date.now() + seconds * 1000)

function leave(place: Place, name: string, at: Date, content = 'half of a token'): string {
  const file = path.join(place.dir, name)
  mkdirSync(path.dirname(file), {recursive: true})
  writeFileSync(file, content)
  utimesSync(file, at, at)
  return file
}

describe('what a killed run has left', () => {
  const drafts = [
    ['the profile file', 'config/config.json.tmp-1234567890abcdef'],
    ["the sandbox's world", 'data/roomctl/sandbox/world.json.tmp-1234567890abcdef'],
    ['an exported profile', 'out/exported.json.tmp-1234567890abcdef'],
    ['a download', 'out/.roomctl-0123456789abcdef.part'],
  ] as const

  test.each(drafts)('of %s, %s, is removed by the next run, also after the clock was set back', async (name, draft) => {
    const entry = fileNamed(name)
    const place = await placeWith(entry, run)
    for (const days of [-2, 2]) {
      leave(place, draft, away(days * 86_400))
      expect(await run(place, entry.write(2))).toMatchObject({exit: entry.done})
      expect({days, left: strangers(entry, place.dir)}).toEqual({days, left: []})
    }
  })

  const living = drafts[0][1].replace('abcdef', process.pid.toString(16).padStart(6, '0'))
  test.each([[drafts[0][0], living] as const, drafts[3]])(
    'of %s, %s, stays while its process may be alive',
    async (name, draft) => {
      const entry = fileNamed(name)
      const place = await placeWith(entry, run)
      leave(place, draft, away(-5))
      expect(await run(place, entry.write(2))).toMatchObject({exit: entry.done})
      expect(strangers(entry, place.dir)).toEqual([path.basename(draft)])
    },
  )

  test('of a result is removed by the next run, even at once', async () => {
    const place = await placeWith(fileNamed('a download'), run)
    leave(place, 'more/a.png', away(-5))
    leave(place, 'r.json.tmp-1234567890abcdef', away(-2))
    const words = 'asset upload games/puzzle more/a.png --platform ios --result r.json -p sandbox'.split(' ')
    expect(await run(place, {words})).toMatchObject({exit: 0})
    expect(readdirSync(place.dir).filter((name) => name.startsWith('r.json'))).toEqual(['r.json'])
  })

  test('is not taken for a file of a folder that is synced', async () => {
    const place = await placeWith(fileNamed('a download'), run)
    leave(place, 'more/a.png', away(-5))
    leave(place, 'more/roomctl.assets.yaml.tmp-1234567890abcdef', away(-5))
    const ran = await run(place, {
      words: 'asset sync games/puzzle more --dry-run --platform ios --description d -p sandbox'.split(' '),
    })
    expect(ran).toMatchObject({exit: 0})
    expect(ran.stdout).not.toContain('tmp-')
    expect(ran.stderr).toContain('ignored incomplete manifests: roomctl.assets.yaml.tmp-1234567890abcdef')
  })
})

describe('a lock', () => {
  const options = {waitMs: 200, lockedOut: (folder: string) => new Error(`locked out by ${folder}`)}

  function locked(at: Date, make = (lock: string) => mkdirSync(lock)): string {
    const file = path.join(freshPlace().dir, 'config.json')
    make(`${file}.lock`)
    if (existsSync(`${file}.lock`)) utimesSync(`${file}.lock`, at, at)
    return file
  }

  test.each([
    ['a folder', (lock: string) => mkdirSync(lock)],
    ['a file', (lock: string) => writeFileSync(lock, '')],
  ])('that is %s and was left long ago is taken over at once', async (_what, make) => {
    const file = locked(away(-60), make)
    expect(await whileFileLocked(file, () => 'in', options)).toBe('in')
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes('lock'))).toEqual([])
  })

  test('that a user touches is waited for, however long', async () => {
    const file = locked(away(0))
    const touching = setInterval(() => utimesSync(`${file}.lock`, away(0), away(0)), 500)
    const waiting = whileFileLocked(file, () => 'in', {...options, waitMs: 3000, staleMs: 2000})
    await expect(waiting).rejects.toThrow(`locked out by ${file}.lock`)
    clearInterval(touching)
  })

  test.each([
    [
      'of the future, left before the clock was set back',
      (file: string) => utimesSync(`${file}.lock`, away(3600), away(3600)),
    ],
    ['that is a link to nothing', () => undefined],
  ])('%s, is taken over once no process has touched it during the wait', async (what, set) => {
    const isLink = what.includes('link')
    const file = locked(away(0), isLink ? (lock) => symlinkSync(`${lock}.gone`, lock) : undefined)
    set(file)
    expect(await whileFileLocked(file, () => 'in', {...options, waitMs: 5000, staleMs: 2000})).toBe('in')
  })

  test('that a killed command left in the config folder holds the next one no longer than ten seconds', async () => {
    const entry = fileNamed('the profile file')
    const place = await placeWith(entry, run)
    const killed = await tool(place, entry.write(2), {fault: {kind: 'kill', at: 8}, below: entry.folder})
    expect(killed.signal).toBe('SIGKILL')
    expect(strangers(entry, place.dir)).toContain('config.json.lock')
    passTime(path.join(place.dir, entry.folder))
    expect(await run(place, entry.write(3))).toMatchObject({exit: 0})
    expect([valuesIn(entry, place.dir), strangers(entry, place.dir)]).toEqual([[3], []])
  })
})

test("under umask 0 the tool's own files are for their user alone, and named ones as the umask has it", async () => {
  const runOpenly = toolInOneProcess(inOneProcess([], ['sh', '-c', 'umask 0; exec "$@"', 'sh']))
  for (const entry of everyFile) {
    const place = await placeWith(entry, run)
    expect(await runOpenly(place, entry.write(2))).toMatchObject({exit: entry.done})
    const mode = statSync(path.join(place.dir, entry.file)).mode & 0o777
    const isForPeople = entry.name === 'a download'
    expect({file: entry.name, mode}).toEqual({file: entry.name, mode: isForPeople ? 0o666 : 0o600})
  }
})

describe('a home', () => {
  test('that is not there yet is made, for its user alone', async () => {
    const {dir, env} = freshPlace()
    const home = path.join(dir, 'not/there')
    const place: Place = {dir, env: {PATH: env.PATH ?? '', HOME: home}}
    expect(await tool(place, {words: ['config', 'set', 'retries', '4']})).toMatchObject({exit: 0})
    expect(await tool(place, {words: ['room', 'create', 'x', '--created-by', 'ann', '-p', 'sandbox']})).toMatchObject({
      exit: 0,
    })
    const own = ['.config/roomctl', '.local/state/roomctl', '.local/share/roomctl/sandbox']
    expect(own.map((name) => statSync(path.join(home, name)).mode & 0o777)).toEqual(own.map(() => 0o700))
  })

  test('that is read-only can be read from, and each refusal says so', async () => {
    const place = await placeWith(fileNamed('the ledger of uploads'), run)
    await run(place, fileNamed('the profile file').write(1))
    const lines = [
      'config get applicationId',
      'asset uploads -q',
      'history -q',
      'room list -q -p sandbox',
      'config set applicationId app-2',
    ]
    const script = `mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME" && cd "$HOME"
      ${lines.map((line) => `roomctl ${line} > /dev/null; echo $?`).join('\n')}`
    const ran = await shell(place, 'exec unshare --map-root-user --mount bash -c "$SCRIPT"', {env: {SCRIPT: script}})
    expect(ran.stdout).toBe('0\n0\n0\n0\n3\n')
    expect(ran.stderr.replaceAll(place.dir, '~')).toBe(
      'error: cannot write the profile file ~/config/config.json: the file system is read-only\n' +
        '  why: nothing was changed\n' +
        '  try: fix that and run the command again\n',
    )
  })

  test('whose journal is on a read-only disk has its change made, with a warning that there is no line', async () => {
    const place = freshPlace()
    const script = `mkdir -p "$HOME/ro" && mount --bind "$HOME/ro" "$HOME/ro" && mount -o remount,bind,ro "$HOME/ro"
      ROOMCTL_STATE_DIR="$HOME/ro/state" roomctl room create Standup --created-by ann -p sandbox`
    const ran = await shell(place, 'exec unshare --map-root-user --mount bash -c "$SCRIPT"', {env: {SCRIPT: script}})
    expect(ran).toMatchObject({exit: 0, stdout: expect.stringContaining('created room')})
    expect(ran.stderr).toContain('ro/state/journal.ndjson cannot be written: the file system is read-only;')
  })

  test('that the system does not know is not needed if the environment sets everything', async () => {
    const place = freshPlace()
    // As for a user without HOME and without an entry in the password file.
    const shim = leave(
      place,
      'homeless.cjs',
      away(0),
      "const os = require('node:os'); os.homedir = () => process.env.HOME ?? os.missing()",
    )
    const {HOME: _, ...env} = place.env
    const homeless = {dir: place.dir, env: {...env, NODE_OPTIONS: `--require ${shim}`}}
    expect(await tool(homeless, {words: ['room', 'list', '-q', '-p', 'sandbox']})).toMatchObject({exit: 0, stderr: ''})
    expect(await tool(homeless, {words: ['config', 'set', 'retries', '4']})).toMatchObject({exit: 0})
  })
})

test('a journal works after the clock was set back, and with a rotated file of the future', async () => {
  const entry = fileNamed('the journal')
  const place = await placeWith(entry, run)
  const file = path.join(place.dir, entry.file)
  writeFileSync(file, `${readFileSync(file, 'utf8')}${' '.repeat(5 * 1024 * 1024)}\n`)
  leave(place, 'state/journal.1.ndjson', away(3600), '')
  expect(await run(place, entry.write(2))).toMatchObject({exit: 0, stderr: ''})
  expect(readdirSync(path.dirname(file)).sort()).toEqual([
    // An empty file may have another owner, and is kept.
    'journal.1.ndjson',
    'journal.2.ndjson',
    'journal.ndjson',
  ])
  expect(valuesIn(entry, place.dir)).toEqual([2])
})
