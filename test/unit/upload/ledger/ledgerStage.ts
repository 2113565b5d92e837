import {type ChildProcess, spawn} from 'node:child_process'
import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import type {LedgerEntry, NewEntry} from '../../../../src/upload/ledger/entry.js'
import {type Claim, type Ledger, type LedgerOptions, openLedger} from '../../../../src/upload/ledger/ledger.js'
import {bundled} from '../../../support/bundled.js'
import {freshFolder} from '../../../support/folder.js'

export const noon = new Date('2026-12-01T12:00:00Z')

/** A folder for a ledger that is not there yet; gone after the test. */
export function newFolder(): string {
  const parent = freshFolder()
  return join(parent, 'state', 'uploads')
}

/** A ledger that is closed after the test. */
export async function ledgerIn(dir: string, options: Partial<LedgerOptions> = {}): Promise<Ledger> {
  const ledger = await openLedger(dir, {now: () => noon, ...options})
  onTestFinished(() => ledger.close())
  return ledger
}

/** Does something with an upload that is claimed for it. */
export async function withClaim(ledger: Ledger, id: string, work: (claim: Claim) => unknown): Promise<void> {
  const claim = await ledger.claim(id)
  work(claim)
  claim.release()
}

/** An upload, be it done or not. */
export function find(ledger: Ledger, id: string): LedgerEntry | undefined {
  return ledger.list().find((entry) => entry.id === id)
}

/** What begins an upload. */
export function beginning(id: string, facts: Partial<NewEntry> = {}): NewEntry {
  return {
    base: 'https://assets.example.com/asset',
    container: 'games/foo',
    name: `${id}.bundle`,
    platform: 'ios',
    description: 'a bundle',
    path: `/work/${id}.bundle`,
    size: 100,
    sample: 'ab'.repeat(32),
    stamp: {ino: '1', mtimeNs: '2', ctimeNs: '3'},
    algorithm: 'sha1',
    ...facts,
  }
}

export const fileOf = (dir: string) => join(dir, 'uploads.jsonl')
export const textIn = (dir: string) => readFileSync(fileOf(dir), 'utf8')
export const linesIn = (dir: string) =>
  textIn(dir)
    .split('\n')
    .filter((line) => line !== '')
export const modeOf = (path: string) => statSync(path).mode & 0o777

/** The writer as one file. */
export const bundleWriter = () => bundled(new URL('ledgerWriter.ts', import.meta.url), 'cjs')

/** A writing process, from a shell that runs `before` first. It ends with the test at the latest. */
export function startWriter(
  script: string,
  words: readonly string[],
  {before = 'true', env = {}}: {before?: string; env?: Readonly<Record<string, string>>} = {},
): ChildProcess {
  const child = spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', process.execPath, script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {...process.env, ...env},
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}
