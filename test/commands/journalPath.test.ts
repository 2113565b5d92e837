import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {hostname, userInfo} from 'node:os'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {type Live, live} from './live.js'

/** A service, a profile for it and a journal on what others may share. */
async function sharing(): Promise<Live & {readonly path: string; readonly entries: () => Record<string, unknown>[]}> {
  const folder = freshHome()
  const path = join(folder, 'audit.ndjson')
  const service = await live({'journal.path': path})
  const entries = () =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return {...service, path, entries}
}

const here = `${userInfo().username}@${hostname()}`

describe('with journal.path', () => {
  test('the journal of the profile is kept there, and each line names who did it', async () => {
    const {cli: run, home, path, entries} = await sharing()
    await run('room end r-standup --yes')
    expect(entries()).toMatchObject([{profile: 'live', by: here, operation: 'room.end', outcome: 'done'}])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(existsSync(join(home, '.local/state/roomctl/journal.ndjson'))).toBe(false)
    const {stdout} = await run('history -o json')
    expect(JSON.parse(stdout)).toEqual(entries())
    expect(JSON.parse((await run('config path -o json')).stdout)).toMatchObject({journal: path})
  })

  test('a file of another program is not chosen, and not touched where a profile names it nevertheless', async () => {
    const {cli: run, path} = await sharing()
    const theirs = ['', '.1', '.2', '.3', '.4', '.5', '.6'].map((number) => path.replace('.ndjson', `${number}.ndjson`))
    for (const file of theirs) writeFileSync(file, `export PATH=/opt\n${'#'.repeat(6_000_000)}\n`)
    const set = await run(['config', 'set', 'journal.path', path])
    expect(set).toMatchObject({exit: 14, stdout: ''})
    expect(set.stderr).toContain('cannot be the journal: it does not begin with a roomctl entry')
    const ended = await run('room end r-standup --yes')
    expect(ended.exit).toBe(0)
    expect(ended.stderr).toContain('warning: the change is not in the journal')
    expect(theirs.map((file) => readFileSync(file, 'utf8').slice(0, 17))).toEqual(
      theirs.map(() => 'export PATH=/opt\n'),
    )
    writeFileSync(path, '')
    expect((await run(['config', 'set', 'journal.path', path])).exit).toBe(0)
  })

  test('another profile keeps its own', async () => {
    const {home, path} = await sharing()
    await cli('room end r-standup --yes', {home})
    expect(existsSync(path)).toBe(false)
    const lines = readFileSync(join(home, '.local/state/roomctl/journal.ndjson'), 'utf8')
    expect(JSON.parse(lines)).not.toHaveProperty('by')
  })

  test('undo without an entry takes what was done here, and an entry also of others', async () => {
    const {cli: run, path, entries} = await sharing()
    await run('room update r-standup --max 50')
    await run('room update r-standup --name Other')
    const [first, second] = entries()
    const lines = [first, {...second, by: 'ann@elsewhere'}]
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const ran = await run('undo --yes --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({undone: first?.id})
    expect(await run(`undo ${second?.id}`)).toMatchObject({exit: 0})
  })

  test('room show names who set it', async () => {
    const {cli: run} = await sharing()
    await run('room presenter r-standup ben')
    expect((await run('room show r-standup --utc')).stdout).toContain(`presenter, last set by ${here} 2026-12-01T`)
  })

  test('a storage that is not there is said, and the change stands', async () => {
    const service = await live({'journal.path': '/nowhere/at/all/audit.ndjson'})
    const ran = await service.cli('room end r-standup --yes')
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toMatch(
      /^warning: the change is not in the journal: \/nowhere\/at\/all\/audit\.ndjson cannot be written: no such file; fix that, or set journal\.path to another file\n/,
    )
  })
})

describe('the setting', () => {
  test('takes an absolute path', async () => {
    const {cli: run, home} = await live()
    expect(await run('config set journal.path /srv/audit.ndjson')).toMatchObject({exit: 0})
    expect((await run('config get journal.path')).stdout).toBe('/srv/audit.ndjson\n')
    expect(await cli('config path -o json -p live', {home})).toMatchObject({exit: 0})
    expect(await run('config unset journal.path')).toMatchObject({exit: 0})
  })

  test.each(['audit.ndjson', '../audit.ndjson', '~/audit.ndjson', '/srv/', 'none'])('and not %s', async (path) => {
    const {cli: run} = await live()
    const ran = await run(['config', 'set', 'journal.path', path])
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain('journal.path must be an absolute path')
  })

  test('one that is wrong in the profile can be put right', async () => {
    const {cli: run} = await live({'journal.path': 'audit.ndjson'})
    expect(await run('room list')).toMatchObject({exit: 3})
    expect(await run('config set journal.path /srv/audit.ndjson')).toMatchObject({exit: 0})
  })

  test('a folder in its place is an error of reading, and of writing', async () => {
    const path = join(freshHome(), 'audit.ndjson')
    mkdirSync(path)
    const {cli: run} = await live({'journal.path': path})
    expect((await run('room end r-standup --yes')).stderr).toContain('warning: the change is not in the journal')
    expect(await run('history')).toMatchObject({exit: 14})
  })
})

test('journal.keep says for how many days older files of the journal are kept', async () => {
  const {cli: run, home} = await live({'journal.keep': 30})
  const folder = join(home, '.local/state/roomctl')
  mkdirSync(folder, {recursive: true, mode: 0o700})
  const entry = {at: '2026-12-01T12:00:00.000Z', profile: 'live', operation: 'room.end', targets: {}, outcome: 'done'}
  const line = `${JSON.stringify(entry)}\n`
  for (const [at, days] of [31, 31, 29, 29, 29, 29, 29, 29].entries()) {
    const file = join(folder, `journal.${at + 1}.ndjson`)
    writeFileSync(file, line, {mode: 0o600})
    utimesSync(file, Date.now() / 1000 - days * 86_400, Date.now() / 1000 - days * 86_400)
  }
  writeFileSync(join(folder, 'journal.ndjson'), line.repeat(60_000), {mode: 0o600})
  await run('room end r-standup --yes')
  const kept = readdirSync(folder).filter((name) => /^journal\.\d/u.test(name))
  expect(kept).toEqual([3, 4, 5, 6, 7, 8, 9].map((number) => `journal.${number}.ndjson`))
})
