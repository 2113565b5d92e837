import {mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readWorld} from '../../src/sandbox/world/worldFile.js'
import {logLine} from '../../src/storage/log/line.js'
import {openLedger} from '../../src/upload/ledger/ledger.js'
import {cli, demoStore, freshHome, noon} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {failureOf} from '../support/failures.js'
import {recordsIn} from '../support/logText.js'
import {cutOff, ledgerFile, ledgerText, part} from './asset/cutOff.js'
import {bench, creates, header, patches} from './asset/uploads.js'

/** The bytes of a file as an earlier release left it. */
function left(release: string, name: string): string {
  return readFileSync(resolve(import.meta.dirname, '../releases', release, name), 'utf8')
}

/** A home with one file in it. */
function homeWith(file: string, content: string) {
  const home = freshHome()
  const path = join(home, file)
  mkdirSync(dirname(path), {recursive: true, mode: 0o700})
  writeFileSync(path, content, {mode: 0o600})
  return {home, path, text: () => readFileSync(path, 'utf8')}
}

const profileFile = '.config/roomctl/config.json'

describe('the profile file', () => {
  const releases = [
    ['0.1.0', ['default' as const, null]],
    ['0.2.0', ['default' as const, null]],
    ['0.3.0', ['profile' as const, 'parent']],
  ] as const

  test('of every release is read as it is, and keeps all of it when it is changed', () =>
    everyCase(releases, async (release, [source, containerPath]) => {
      const was = left(release, 'config.json')
      const {home, path, text} = homeWith(profileFile, was)
      const row = async (key: string) =>
        JSON.parse((await cli(['config', 'get', key, '-p', 'prod', '-o', 'json'], {home})).stdout)
      expect(await row('room.url')).toMatchObject({value: 'https://rooms.example.com/media', source: 'profile'})
      expect(await row('retries')).toMatchObject({value: JSON.parse(was).profiles.prod.retries ?? 2})
      expect(await row('asset.containerPath')).toMatchObject({source, ...(containerPath && {value: containerPath})})
      expect(text()).toBe(was)

      expect(await cli('config set requester ann -p prod', {home})).toMatchObject({exit: 0})
      const {profiles, ...rest} = JSON.parse(was)
      const changed = {...rest, version: 2, profiles: {...profiles, prod: {...profiles.prod, requester: 'ann'}}}
      expect(JSON.parse(text())).toEqual(changed)
      expect(readFileSync(join(dirname(path), 'config.backup.json'), 'utf8')).toBe(was)
    }))

  test('of a later release is never moved or changed, by any kind of command', () =>
    everyCase(
      [
        ['has version 3, and this roomctl reads 2', '{"version": 3, "profiles": {"prod": {}}}'],
        ['has an unknown key: profiles.prod."room.colour"', '{"version": 2, "profiles": {"prod": {"room.colour": 1}}}'],
      ],
      async (words, content) => {
        const {home, path, text} = homeWith(profileFile, content)
        for (const line of ['config list', 'config set retries 1', 'room list', 'config profile list']) {
          const {exit, stderr, sent} = await cli(`${line} -p prod`, {home})
          expect({exit, sent}, line).toEqual({exit: 3, sent: []})
          expect(stderr).toContain(`error: the profile file ${path} ${words}\n`)
          expect(stderr).toContain('it was not changed')
          expect(stderr).toContain('try: use the roomctl that wrote it or a newer one')
        }
        expect([text(), readdirSync(dirname(path))]).toEqual([content, ['config.json']])
      },
    ))

  test('with the pager and the days of its journal works, exports neither, and can be rid of both', async () => {
    const prod = {pager: 'less', 'journal.keep': 30, retries: 1}
    const {home, text} = homeWith(profileFile, JSON.stringify({version: 1, profiles: {prod}}))
    const {stdout} = await cli('config profile export prod', {home})
    expect(JSON.parse(stdout).settings).toEqual({retries: 1})
    expect((await cli('config list -p prod', {home})).stdout).not.toMatch(/pager|keep/u)
    expect((await cli('config set requester ann -p prod', {home})).exit).toBe(0)
    expect(JSON.parse(text()).profiles.prod).toEqual({...prod, requester: 'ann'})
    for (const key of ['pager', 'journal.keep']) expect((await cli(`config unset ${key} -p prod`, {home})).exit).toBe(0)
    expect(JSON.parse(text()).profiles.prod).toEqual({retries: 1, requester: 'ann'})
  })
})

describe('the ledger of uploads', () => {
  const mebibyte = 1024 * 1024

  /** A service as the release left it, and its ledger, in which the addresses are those of this service. */
  async function goneOnWith(release: string, ledger: string) {
    const own = await bench()
    const [done, half] = [own.file('done.bundle', 2 * part), own.file('half.bundle', 48 * part)]
    expect((await own.upload([done])).exit).toBe(0)
    await cutOff(own, [half], mebibyte / part)
    const address = (name: string, text: string) => {
      const [{id}] = recordsIn(text).filter((record) => record.name === name)
      return String(recordsIn(text).find((record) => record.id === id && record.url)?.url)
    }
    const was = left(release, ledger)
    const now = ledgerText(own)
    const text = ['done.bundle', 'half.bundle'].reduce((changed, name) => {
      return changed.replaceAll(uuidOf(address(name, was)), uuidOf(address(name, now)))
    }, was)
    writeFileSync(ledgerFile(own), text)
    return {own, done, half}
  }

  const uuidOf = (address: string) => address.split('/').at(-1) ?? ''

  test('of every release is read, half sent and tidied up, and the same command sends the rest alone', () =>
    everyCase(
      ['0.2.0', '0.3.0'].flatMap((release) => ['half', 'compacted'].map((state) => [release, state] as const)),
      async (release, state) => {
        const {own, done, half} = await goneOnWith(release, `ledger-${state}.jsonl`)
        const {exit, stdout, stderr, sent} = await own.upload([done, half], ['-o', 'json'])
        expect({exit, stderr: stderr.includes('damaged')}).toEqual({exit: 0, stderr: false})
        expect(JSON.parse(stdout)).toMatchObject([{outcome: 'skipped'}, {outcome: 'done', resumed_from: mebibyte}])
        expect([creates(sent), header(patches(sent)[0] ?? {headers: {}}, 'Upload-Offset')]).toEqual([[], `${mebibyte}`])
        expect(await own.bytesOf(JSON.parse(stdout)[1].uuid)).toBe(half.sha256)
        expect(
          (await own.upload([done, half])).sent.filter(({method}) => method !== 'GET' && method !== 'HEAD'),
        ).toEqual([])
      },
    ))

  test('has a claim of every release for as long as that is touched, and then lets it go', () =>
    everyCase(['0.2.0', '0.3.0'], async (release) => {
      const {home, path} = homeWith('runs/a', left(release, 'claim.json'))
      const touch = (ageMs: number) => utimesSync(path, (Date.now() - ageMs) / 1000, (Date.now() - ageMs) / 1000)
      const ledger = await openLedger(home, {now: () => noon})
      touch(55_000)
      expect((await failureOf(() => ledger.claim('a'))).facts).toMatchObject({exit: 'state', code: 'upload-in-use'})
      touch(61_000)
      ;(await ledger.claim('a')).release()
      await ledger.close()
    }))

  test('of long ago is found by its place', async () => {
    const dir = freshHome()
    for (const shard of ['b4', 'cd']) {
      writeFileSync(join(dir, `uploads.jsonl.done.${shard}`), left('0.3.0', `ledger-done.${shard}`))
    }
    const ledger = await openLedger(dir, {now: () => noon})
    const place = {base: 'http://sandbox.localhost/asset', container: 'games/puzzle'}
    const uploads = ledger.finishedAs([
      {...place, name: 'done.bundle'},
      {...place, name: 'last.bundle'},
    ])
    expect(uploads.map(({name, size}) => [name, size])).toEqual([
      ['done.bundle', 2 * part],
      ['last.bundle', 10],
    ])
    expect(ledger.named(new Set(['32413f1d171ee3c6'])).map(({name}) => name)).toEqual(['last.bundle'])
  })
})

describe('the journal', () => {
  const journal = '.local/state/roomctl/journal.ndjson'

  test('of every release is read, and resumes in the same file', () =>
    everyCase(['0.2.0', '0.3.0'], async (release) => {
      const was = left(release, 'journal.ndjson')
      const {home, text} = homeWith(journal, was)
      const store = await demoStore()
      const operations = async () =>
        JSON.parse((await cli('history -o json', {home})).stdout).map((row: {operation: string}) => row.operation)
      const earlier = ['room.end', 'room.end', 'room.update', 'room.create']
      expect(await operations()).toEqual(earlier)
      expect((await cli('room update r-standup --max 50', {home, store})).exit).toBe(0)
      expect(text().startsWith(was)).toBe(true)
      expect(await operations()).toEqual(['room.update', ...earlier])
    }))

  test('of a later release is refused by its number, and one with a flipped bit has a damaged line', async () => {
    const {home, path, text} = homeWith(journal, `${left('0.3.0', 'journal.ndjson')}{"v":3,"id":"1m8rqkqg0sbb"}\n`)
    const was = text()
    const refused = await cli('history', {home})
    expect([refused.exit, text()]).toEqual([14, was])
    expect(refused.stderr).toContain('it has lines of version 3, and this roomctl reads 2')
    writeFileSync(path, logLine(recordsIn(was)[0]).replace('Review', 'Reviev'))
    expect(await cli('history -o json', {home})).toMatchObject({
      exit: 0,
      stdout: '[]\n',
      stderr: expect.stringContaining('1 line of the journal'),
    })
  })
})

test("a sandbox's world of another release is left as it is, and the error names the reset", () =>
  everyCase(['0.2.0', '0.3.0'], async (release) => {
    const was = left(release, 'world.json')
    const {home, text} = homeWith('sandbox/world.json', was)
    const why = `it has version ${release === '0.2.0' ? 1 : 2}, and this roomctl reads 3`
    const facts = expect.objectContaining({
      exit: 'file',
      why,
      try: expect.objectContaining({command: ['sandbox reset']}),
    })
    expect(() => readWorld(join(home, 'sandbox/world.json'))).toThrow(expect.objectContaining({facts}))
    expect(text()).toBe(was)
  }))
