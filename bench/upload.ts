import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {buildPeer, installRoomctl} from './installed.js'
import {measureRounds} from './measure.js'
import {printAims, printResult, type Result} from './report.js'
import {type Case, largeFile, largeFiles, slowService, smallFiles} from './upload/cases.js'
import {linkMany, needRoom, writeMany, writeNoise} from './upload/files.js'
import type {Stage} from './upload/subjects.js'
import {startService} from './world.js'

export interface UploadOptions {
  readonly rounds: number
  /** Bytes of the large file. */
  readonly size: number
  /** How many small files. */
  readonly files: number
  /** Only the cases whose title holds this text. */
  readonly only: string
}

const smallBytes = 256 * 1024
const delayMs = 20

/** Uploads beside a bare loop over node:http, curl and tus-js-client, to a service that keeps nothing. */
export async function benchUpload({rounds, size, files, only}: UploadOptions): Promise<void> {
  needCurl()
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  const closing = [() => rmSync(folder, {recursive: true})]
  const close = () => {
    for (const end of closing.splice(0).reverse()) end()
  }
  // Also after Ctrl-C, which the measured programs receive themselves.
  process.once('exit', close)
  process.once('SIGINT', () => process.exit(130))
  try {
    needRoom(folder, size + files * smallBytes)
    const below = (name: string) => path.join(folder, name)
    for (const name of ['files', 'state', 'home']) mkdirSync(below(name))
    const results: Result[] = []
    for (const one of (await makeCases({size, files, below, closing})).filter(({title}) => title.includes(only))) {
      const result = {...one, rounds: await run(one, rounds, below('home'))}
      results.push(result)
      printResult(result)
    }
    printAims(results)
  } finally {
    close()
  }
}

interface Materials extends Pick<UploadOptions, 'size' | 'files'> {
  /** A path below the folder of the bench. */
  readonly below: (name: string) => string
  readonly closing: (() => void)[]
}

async function makeCases({size, files, below, closing}: Materials): Promise<Case[]> {
  const service = async (script: string, ...args: readonly string[]) => {
    const {url, close} = await startService(script, ...args)
    closing.push(close)
    return url
  }
  const programs = {
    roomctl: installRoomctl(),
    plain: await buildPeer('plainTus'),
    bareHttp: await buildPeer('bareHttp'),
  }
  const on = (url: string): Stage => ({url, state: below('state'), programs})
  const sink = on(await service('sink.ts'))
  const slow = on(await service('sink.ts', `${delayMs}`))

  const large = below('files/large.bundle')
  writeNoise(large, size, 0)
  const small = writeMany(below('files'), files, smallBytes)
  const tiny = writeMany(below('files'), Math.ceil(files / 5), 16 * 1024)
  return [
    ...largeFile(sink, large, size),
    smallFiles(sink, small, smallBytes),
    slowService(slow, tiny, delayMs),
    largeFiles(sink, linkMany(large, 8), size),
  ]
}

function run({subjects, most = Number.POSITIVE_INFINITY}: Case, rounds: number, home: string) {
  const {PATH, TMPDIR} = process.env
  return measureRounds({subjects, runs: Math.min(rounds, most), env: {PATH, TMPDIR, HOME: home, CI: '1'}})
}

function needCurl(): void {
  try {
    execFileSync('curl', ['--version'], {stdio: 'ignore'})
  } catch {
    throw new Error('curl is missing, with which uploads are compared: install it (apt-get install curl)')
  }
}
