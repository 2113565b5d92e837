import {spawn} from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import type {Place, Ran} from '../stories/place.js'
import {ended} from '../support/ended.js'
import {inOneProcess} from '../support/inOneProcess.js'
import {root} from '../support/repository.js'
import type {Written} from './writtenFile.js'

const preload = ['--require', path.join(import.meta.dirname, 'preload.cjs')]

/** A fault in the files of the tool while it runs (preload.cjs). */
export interface Fault {
  readonly kind: 'kill' | 'full' | 'short'
  /** At the call of this number, from 1. */
  readonly at: number
}

function faulty({dir}: Pick<Place, 'dir'>, fault: Fault | undefined, below: string): Readonly<Record<string, string>> {
  if (!fault) return {}
  return {
    FAULT: fault.kind,
    FAULT_AT: String(fault.at),
    FAULT_BELOW: path.join(dir, below),
    FAULT_LOG: path.join(dir, 'fault'),
  }
}

/** Runs the tool in a place, without a shell. `fault` applies to its writes below a folder of the place. */
export async function tool(
  place: Pick<Place, 'dir' | 'env'>,
  {words, env = {}}: ReturnType<Written['write']>,
  options: {
    readonly fault?: Fault
    readonly below?: string
    readonly killAfterMs?: number
  } = {},
): Promise<Ran> {
  const {fault, below = '', killAfterMs = 50_000} = options
  const child = spawn(process.execPath, [...(fault ? preload : []), path.join(root, 'bin/run.cjs'), ...words], {
    cwd: place.dir,
    env: {...place.env, ...env, ...faulty(place, fault, below)},
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: killAfterMs,
    killSignal: 'SIGKILL',
  })
  const {code, stdout, stderr} = await ended(child)
  return {stdout, stderr, exit: code, signal: child.signalCode}
}

/** As `tool`, for a test file that kills nothing: every line in the same process. */
export function toolInOneProcess(type = inOneProcess(preload)): typeof tool {
  return async (place, {words, env = {}}, {fault, below = ''} = {}) => {
    const end = await type({words, cwd: place.dir, env: {...place.env, ...env, ...faulty(place, fault, below)}})
    return {...end, signal: null}
  }
}
