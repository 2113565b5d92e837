import {mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {JournalEntry} from '../../src/storage/journal.js'
import {appendToJournal, journalIn} from '../../src/storage/journal.js'
import {journalOf} from './push/requests.js'
import {machine, stateOf} from './undoMachine.js'

describe('without an entry', () => {
  test('the newest with an inverse is undone, and skipped entries are named', async () => {
    const {run, done, newest} = await machine()
    await done('room update r-standup --max 50')
    const undone = newest()
    await done('attendee add r-townhall zoe')
    const ran = await run('undo', {answers: [true]})
    expect(ran).toMatchObject({exit: 0, stdout: expect.stringContaining(`undid ${undone} (update room r-standup, `)})
    expect(ran.stderr).toMatch(/^skipped, cannot be undone: \w{12} \(add zoe to room r-townhall, /u)
  })

  test('it asks, also where the inverse alone would not', async () => {
    const {store, run, done} = await machine()
    await done('room update r-standup --max 50')
    const before = await stateOf(store)
    expect(await run('undo')).toMatchObject({exit: 13, sent: []})
    const ran = await run('undo', {answers: [false]})
    expect(ran.exit).toBe(13)
    expect(ran.asked).toEqual([
      expect.stringMatching(
        /^Undo \w{12} \(update room r-standup, [^)]+\): update room r-standup \(max_attendee_count=30\) on sandbox \(built in\)\?$/u,
      ),
    ])
    expect(await stateOf(store)).toEqual(before)
    expect(await run('undo', {answers: [true]})).toMatchObject({exit: 0})
    // The undoing itself is not undone unasked.
    expect(await run('undo', {answers: [true]})).toMatchObject({exit: 6, asked: []})
  })

  test('a yes in advance never undoes an older change in place of the newest', async () => {
    const {run, done, newest} = await machine()
    await done('room update r-standup --max 50')
    const older = newest()
    await done('room end r-standup --yes')
    const ran = await run('undo --yes')
    expect(ran).toMatchObject({exit: 13, stdout: '', sent: []})
    expect(ran.stderr).toContain('cannot be undone, and --yes does not undo an older one: ')
    expect(ran.stderr).toContain('\n  why: an ENDED room cannot change\n')
    expect(ran.stderr).toMatch(
      new RegExp(`\n {2}try: to undo an older change \\(update room r-standup, .*\\): roomctl undo ${older}\n`, 'u'),
    )
  })

  test('where no change has an inverse it says why the newest has none, and what to do instead', async () => {
    const {run, done, newest} = await machine()
    await done('room end r-standup --yes')
    const ran = await run('undo')
    expect(ran).toMatchObject({exit: 6, sent: []})
    expect(ran.stderr).toContain(`\n  why: the newest: cannot undo room.end ${newest()}, an ENDED room cannot change\n`)
    expect(ran.stderr).toContain('\n  try: create another: roomctl room create NAME --created-by USER\n')
  })

  test('a journal of very many changes that have no inverse is soon looked through', async () => {
    const {home, run, done} = await machine()
    await done('room presenter r-standup ben')
    const [entry] = journalOf(home)
    const lines = Array.from({length: 40_000}, (_, at) => ({...entry, id: `e${at}`, targets: {roomId: `r-${at}`}}))
    const path = join(home, '.local/state/roomctl/journal.ndjson')
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    expect(await run('undo --yes')).toMatchObject({exit: 6, sent: []})
  })

  test('the older files of the journal are not opened for the newest change', async () => {
    const {store, home, run, done, newest} = await machine()
    const before = await stateOf(store)
    await done('room update r-standup --max 50')
    const undone = newest()
    mkdirSync(join(home, '.local/state/roomctl/journal.1.ndjson'))
    // A folder cannot be read as a file.
    expect(await run(`undo ${undone} --yes`)).toMatchObject({exit: 14, sent: []})
    await done('undo --yes')
    expect(await stateOf(store)).toEqual(before)
  })

  test('one step back after another', async () => {
    const {store, done} = await machine()
    const before = await stateOf(store)
    await done('room update r-standup --max 50')
    await done('room delegate r-standup ben')
    await done('room update r-standup --name Mine')
    for (let step = 0; step < 3; step += 1) await done('undo --yes')
    expect(await stateOf(store)).toEqual(before)
  })
})

test('the first target of a run that is larger than the files kept in any case is still undone', async () => {
  const {store, home, done, newest} = await machine()
  const before = await stateOf(store)
  await done('room delegate r-standup ben')
  const first = newest()
  const folder = join(home, '.local/state/roomctl')
  const [entry] = journalOf(home)
  const name = 'x'.repeat(500_000)
  for (let part = 0; part < 9; part += 1) {
    const lines = Array.from({length: 11}, (_, at): JournalEntry => {
      const id = `run${part}-${at}`
      return {...(entry as unknown as JournalEntry), id, operation: 'room.end', targets: {roomId: id, name}}
    })
    appendToJournal(journalIn(folder), ...lines)
  }
  expect(readdirSync(folder).filter((file) => /^journal\.\d+\.ndjson$/u.test(file)).length).toBeGreaterThan(6)
  await done(`undo ${first} --yes`)
  expect(await stateOf(store)).toEqual(before)
})
