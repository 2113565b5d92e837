import {readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {copyCheckout} from '../checkoutCopy.js'
import {vitest} from '../vitest.js'
import {mutations} from './list.js'
import type {Mutation} from './mutation.js'

/** Tries each mutation, or those named in `only`; the process ends with 1 if any of them goes unnoticed. */
export function tryMutations(root: string, only: readonly string[] | undefined): void {
  const chosen = only ? mutations.filter(({name}) => only.includes(name)) : mutations
  const copy = new Copy(root)
  let unnoticed = 0
  try {
    for (const mutation of chosen) {
      const {kind, failed, ran} = copy.try(mutation)
      if (kind !== 'noticed') unnoticed += 1
      console.log(
        `${kind.padEnd(11)} ${mutation.name.padEnd(24)} ${mutation.breaks} (${failed} of ${ran} tests failed)`,
      )
    }
  } finally {
    copy.remove()
  }
  console.log(`${chosen.length - unnoticed} of ${chosen.length} were noticed`)
  process.exitCode = unnoticed === 0 && chosen.length > 0 ? 0 : 1
}

/** The result of the tests of a mutation; `nothing ran` is a fault of the list or of the machine. */
export interface Verdict {
  readonly kind: 'noticed' | 'SURVIVED' | 'nothing ran'
  readonly failed: number
  readonly ran: number
}

/** Tests that start no process of the built program. */
const runsSource = /^test\/(?:unit|commands)\b/

/** The tests of one mutation are given this long, in milliseconds. */
const longestMs = 300_000

/** A copy of the checkout in which mutations are tried; the checkout itself is never touched. */
class Copy {
  readonly #folder: string

  constructor(root: string) {
    this.#folder = copyCheckout(root, 'mutations')
  }

  /** Applies a mutation, runs its tests, and restores the file. Throws an Error if its text does not occur once. */
  try({file, from, to, tests}: Mutation): Verdict {
    const target = path.join(this.#folder, file)
    const original = readFileSync(target, 'utf8')
    writeFileSync(target, mutated(original, {file, from, to}))
    // A file that is no newer than the build is not built again: most tests run the source.
    if (tests.every((one) => runsSource.test(one))) utimesSync(target, 0, 0)
    try {
      return this.#run(tests)
    } finally {
      writeFileSync(target, original)
      // Tests of the build notice the newer source, and build first.
      utimesSync(target, 0, 0)
    }
  }

  remove(): void {
    rmSync(this.#folder, {recursive: true, force: true})
  }

  #run(tests: readonly string[]): Verdict {
    const report = path.join(this.#folder, 'report.json')
    rmSync(report, {force: true})
    const words = [...tests, '--bail', '1', '--reporter', 'json', '--outputFile', report]
    const exit = vitest(words, {cwd: this.#folder, stdio: 'ignore', timeout: longestMs})
    const {numFailedTests: failed = 0, numPassedTests: passed = 0} = readReport(report)
    if (failed + passed === 0) return {kind: 'nothing ran', failed, ran: 0}
    // Not by the counts: without an end to an answer a worker ends for want of memory, and its test has no result.
    return {kind: exit === 0 ? 'SURVIVED' : 'noticed', failed, ran: failed + passed}
  }
}

/** The mutated text. Throws an Error if the original does not occur exactly once. */
export function mutated(original: string, {file, from, to}: Pick<Mutation, 'file' | 'from' | 'to'>): string {
  const parts = original.split(from)
  if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times: ${from}`)
  return parts.join(to)
}

function readReport(file: string): {numFailedTests?: number; numPassedTests?: number} {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
