import {writeSync} from 'node:fs'
import {setTimeout as pause} from 'node:timers/promises'
import {type Ledger, openLedger} from '../../../../src/upload/ledger/ledger.js'

// A process that writes a ledger: `MODE FOLDER NAME COUNT`. Lines on stdout are on the disk.

const [mode = '', dir = '', name = '', words = '0'] = process.argv.slice(2)
const count = Number(words)

const say = (text: string) => writeSync(1, `${text}\n`)

async function begin(ledger: Ledger, id: string, description = 'd'): Promise<void> {
  const claim = await ledger.claim(id)
  claim.begin({
    base: 'https://assets.example.com/asset',
    container: 'games/foo',
    name: `${id}.bundle`,
    platform: 'ios',
    description,
    path: `/work/${id}`,
    size: 1_000_000,
    sample: 's',
    stamp: {ino: '1', mtimeNs: '2', ctimeNs: '3'},
  })
  claim.release()
}

/** Begins uploads, each with a description longer than a page of memory, eight at a time. */
async function beginMany(ledger: Ledger): Promise<void> {
  for (let at = 0; at < count; at += 8) {
    await Promise.all(Array.from({length: 8}, (_, lane) => begin(ledger, `${name}-${at + lane}`, 'x'.repeat(6000))))
  }
}

/** Claims an upload and holds it until it is killed. */
async function hold(ledger: Ledger): Promise<void> {
  await ledger.claim(name)
  say('held')
  await pause(60_000)
}

/** Claims one of three uploads repeatedly, and prints when it had it. */
async function race(ledger: Ledger): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const id = `${name}-${at % 3}`
    const claim = await ledger.claim(id, {signal, waiting: () => undefined})
    const from = process.hrtime.bigint()
    await pause(3)
    say(`${id} ${from} ${process.hrtime.bigint()}`)
    claim.release()
  }
}

/** Finishes an upload that is not started, and forgets the upload of a name; then the ledger is closed. */
async function finish(ledger: Ledger): Promise<void> {
  await begin(ledger, 'late')
  const late = await ledger.claim('late')
  late.done({uuid: 'late', sha256: null})
  late.release()
  const old = await ledger.claim(name)
  old.forget()
  old.release()
  await ledger.sync()
  say('late')
}

const {signal} = new AbortController()
const modes = {begin: beginMany, hold, race, finish}

async function main(): Promise<void> {
  const ledger = await openLedger(dir, {now: () => new Date(), warn: (text) => writeSync(2, `${text}\n`)})
  if (mode in modes) await modes[mode as keyof typeof modes](ledger)
  await ledger.close()
}

void main()
