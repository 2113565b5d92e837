import {type ChildProcess, spawn} from 'node:child_process'
import {mkdirSync, symlinkSync} from 'node:fs'
import path from 'node:path'
import {afterFile} from '../support/afterFile.js'
import {withoutWaits} from '../support/ended.js'
import {freshFolder} from '../support/folder.js'
import {root} from '../support/repository.js'
import {warm} from '../support/warm.js'

/** The exit and output of a process. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  /** The exit code; null if a signal ended it. */
  readonly exit: number | null
  readonly signal: NodeJS.Signals | null
}

/** A user's home with nothing in it, and a PATH on which `roomctl` is as npm installs it: a link to the entry. */
export interface Place {
  /** The home; also the working folder of what runs here. */
  readonly dir: string
  /** The whole environment of what runs here. */
  readonly env: Readonly<Record<string, string>>
}

const running = new Set<ChildProcess>()

/** A fresh place; it is removed after the tests of the file. `env` is added to its environment. */
export function freshPlace(env: Readonly<Record<string, string>> = {}): Place {
  const dir = freshFolder()
  const bin = path.join(dir, 'bin')
  mkdirSync(bin)
  symlinkSync(path.join(root, 'bin/run.cjs'), path.join(bin, 'roomctl'))
  // The node that runs the tests runs the tool, whatever else is called node here.
  symlinkSync(process.execPath, path.join(bin, 'node'))
  warm(path.join(dir, 'cache'))
  return {
    dir,
    env: {
      PATH: `${bin}:${process.env.PATH ?? ''}`,
      HOME: dir,
      LANG: 'C.UTF-8',
      TZ: 'Asia/Seoul',
      ROOMCTL_CONFIG_DIR: path.join(dir, 'config'),
      ROOMCTL_STATE_DIR: path.join(dir, 'state'),
      ROOMCTL_CACHE_DIR: path.join(dir, 'cache'),
      XDG_DATA_HOME: path.join(dir, 'data'),
      ...env,
    },
  }
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>
  /** The content of stdin. Without it stdin is an open, silent pipe: a command that reads it unasked hangs. */
  readonly stdin?: string
}

/** Runs a line of shell in a place, as a person or a script types it, and waits for its end. */
export async function shell(place: Place, script: string, {env = {}, stdin}: Circumstances = {}): Promise<Ran> {
  const run = start(place, script, env)
  if (stdin !== undefined) run.child.stdin?.end(stdin)
  return run.ended
}

/** A process that is still running. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ran>
  /** Waits until stdout and stderr together hold the text, and returns all they hold; fails where it ends before. */
  prints(text: string): Promise<string>
}

/** Starts a line of shell in a place; a single command takes the place of the shell, so that signals reach it. */
export function start(place: Place, script: string, env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn('sh', ['-c', script], {
    cwd: place.dir,
    env: {...place.env, ...env},
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.add(child)
  afterFile(() => running.has(child) && killGroup(child))
  // Longer than any test may take; without it a hanging process would outlive them all.
  const timer = setTimeout(() => killGroup(child), 240_000)
  const written = {stdout: '', stderr: ''}
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      written[name] += piece
      for (const look of waiting) look()
    })
  }
  child.stdin.on('error', () => {})
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exit, signal) => {
      clearTimeout(timer)
      running.delete(child)
      // Its remaining children end with it.
      killGroup(child)
      resolve({stdout: written.stdout, stderr: withoutWaits(written.stderr), exit, signal})
    })
  })
  const prints = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const all = written.stdout + written.stderr
        if (all.includes(text)) resolve(all)
      }
      waiting.add(look)
      void ended.then(({stdout, stderr}) => reject(new Error(`it ended without ${text}: ${stdout}${stderr}`)))
      look()
    })
  return {child, ended, prints}
}

/** Ends a process and all that it started; only ever one of ours, since its group is its own. */
function killGroup({pid}: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
