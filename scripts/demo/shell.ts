import {spawn} from 'node:child_process'
import {mkdirSync, symlinkSync} from 'node:fs'
import path from 'node:path'

/** A shell in a fresh home, on whose PATH `roomctl` stands as npm installs it. */
export class Shell {
  readonly #home: string
  readonly #env: Record<string, string | undefined>

  constructor({root, home, inColour}: {root: string; home: string; inColour: boolean}) {
    const bin = path.join(home, 'bin')
    mkdirSync(bin)
    symlinkSync(path.join(root, 'bin/run.cjs'), path.join(bin, 'roomctl'))
    symlinkSync(process.execPath, path.join(bin, 'node'))
    // Nothing else of the environment: a profile or an address of the person's own must play no part.
    const {TERM, LANG, TZ, PATH = '', NO_COLOR} = process.env
    this.#home = home
    this.#env = {
      ...{TERM, LANG, TZ, NO_COLOR},
      PATH: `${bin}:${PATH}`,
      HOME: home,
      ...(inColour ? {FORCE_COLOR: '1'} : {}),
    }
  }

  /** Runs a line as it was typed; gives what came on stdout and stderr, in its order. An export holds from then on. */
  run(line: string): Promise<{output: string; exit: number | null}> {
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? []
    if (name !== undefined) {
      this.#env[name] = value
      return Promise.resolve({output: '', exit: 0})
    }
    const child = spawn('sh', ['-c', `exec 2>&1; ${line}`], {
      cwd: this.#home,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
    })
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exit) => resolve({output, exit}))
    })
  }
}
