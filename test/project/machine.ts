import {type ChildProcess, spawn} from 'node:child_process'
import {chmodSync, cpSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {withoutWaits} from '../support/ended.js'
import {numberedFolder} from '../support/folder.js'
import {root} from '../support/repository.js'
import {warm} from '../support/warm.js'

/** The result of a line typed into the shell. */
export interface Typed {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * A machine of its own to type lines into a real `sh`: an empty home, and on the PATH `roomctl`, which is the built
 * program, and small programs that stand for `ssh` (runs the command on another home) and `op` (a password manager).
 */
export class Machine {
  readonly folder: string
  /** Where lines are typed. */
  readonly work: string
  readonly env: Readonly<Record<string, string>>

  private constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.folder = folder
    this.work = path.join(folder, 'work')
    this.env = {
      PATH: `${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: path.join(folder, 'home'),
      ROOMCTL_CACHE_DIR: path.join(folder, 'cache'),
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...env,
    }
  }

  static make(env: Readonly<Record<string, string>> = {}): Machine {
    const folder = numberedFolder(path.join(tmpdir(), 'roomctl-machine-'))
    for (const name of ['bin', 'home', 'other-home', 'work']) mkdirSync(path.join(folder, name))
    warm(path.join(folder, 'cache'))
    program(folder, 'roomctl', `exec '${process.execPath}' '${root}/bin/run.cjs' "$@"`)
    program(folder, 'ssh', `shift; HOME='${folder}/other-home' exec "$@"`)
    program(folder, 'op', 'echo a-token-from-the-password-manager')
    return new Machine(folder, env)
  }

  /** Another machine with the same files. */
  copy(env: Readonly<Record<string, string>> = {}): Machine {
    const machine = Machine.make({...env})
    for (const name of ['home', 'work'])
      cpSync(path.join(this.folder, name), path.join(machine.folder, name), {recursive: true})
    return machine
  }

  /** Types a line and waits for its end, for N milliseconds at most; nothing is on its stdin. */
  async type(line: string, limit = 60_000): Promise<Typed> {
    const child = this.start(line)
    const timer = setTimeout(() => end(child, 'SIGKILL'), limit)
    const [stdout, stderr, exit] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)])
    clearTimeout(timer)
    return {exit, stdout, stderr: withoutWaits(stderr)}
  }

  /** Types a line that runs until Ctrl-C, which is pressed when stdout has said `ready` and `meanwhile` is over; for N milliseconds at most. */
  async typeUntil(
    line: string,
    ready: string,
    meanwhile: (stdout: string) => Promise<void> = async () => undefined,
    limit = 60_000,
  ): Promise<Typed> {
    const child = this.start(line)
    const timer = setTimeout(() => end(child, 'SIGKILL'), limit)
    const stderr = text(child.stderr)
    const exit = exitOf(child)
    let stdout = ''
    for await (const piece of child.stdout) {
      const before = stdout.includes(ready)
      stdout += String(piece)
      if (before || !stdout.includes(ready)) continue
      await meanwhile(stdout)
      end(child, 'SIGINT')
    }
    clearTimeout(timer)
    return {exit: await exit, stdout, stderr: await stderr}
  }

  /** Throws the machine away. */
  remove(): void {
    rmSync(this.folder, {recursive: true, force: true})
  }

  private start(line: string) {
    // A process group of its own, as a terminal would give it: Ctrl-C reaches every program of the line.
    return spawn('sh', ['-c', line], {
      cwd: this.work,
      env: {...this.env},
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
  }
}

function program(folder: string, name: string, script: string): void {
  const file = path.join(folder, 'bin', name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

function end({pid}: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal)
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code))
  })
}
