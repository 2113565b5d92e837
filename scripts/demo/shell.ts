import {type ChildProcess, spawn} from 'node:child_process'
import {closeSync, openSync} from 'node:fs'
import path from 'node:path'

/** The output of a line on stdout and stderr, in order, and the exit of its last command. */
export interface RanLine {
  readonly output: string
  readonly exit: number | null
}

/** Runs lines of roomctl in a fresh home with Node alone: quoted words, pipes and `< FILE`, of a shell nothing else. */
export class Shell {
  readonly home: string
  readonly #program: string
  readonly #env: Record<string, string | undefined>

  constructor({root, home, inColour}: {root: string; home: string; inColour: boolean}) {
    // Nothing else of the environment: a profile or a program of the person's own must play no part.
    const {TERM, LANG, TZ, NO_COLOR, SystemRoot} = process.env
    this.home = home
    this.#program = path.join(root, 'bin/run.cjs')
    this.#env = {
      ...{TERM, LANG, TZ, NO_COLOR, SystemRoot},
      ...{HOME: home, USERPROFILE: home, ROOMCTL_PROFILE: 'sandbox'},
      ...(inColour ? {FORCE_COLOR: '1'} : {}),
    }
  }

  async run(line: string): Promise<RanLine> {
    const commands = line.split(/ \| (?=roomctl )/u)
    let output = ''
    const children: ChildProcess[] = []
    for (const [at, command] of commands.entries()) {
      const isLast = at === commands.length - 1
      const child = this.start(command, children.at(-1))
      child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
        output += piece
      })
      if (isLast) {
        child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
          output += piece
        })
      }
      children.push(child)
    }
    const exits = await Promise.all(children.map(exitOf))
    return {output, exit: exits.at(-1) ?? null}
  }

  /** Starts one command, whose stdin is what `before` prints, or the file behind `<`, or empty. */
  start(command: string, before?: ChildProcess): ChildProcess {
    const [typed = '', file] = command.split(/ < (?=\S+$)/u)
    const [, ...args] = wordsOf(typed)
    const input = file === undefined ? undefined : openSync(path.join(this.home, file), 'r')
    const stdin = input ?? (before ? 'pipe' : 'ignore')
    const child = spawn(process.execPath, [this.#program, ...args], {
      cwd: this.home,
      env: this.#env,
      stdio: [stdin, 'pipe', 'pipe'],
    })
    if (input !== undefined) closeSync(input)
    if (before && child.stdin) before.stdout?.pipe(child.stdin)
    return child
  }
}

/** The words of a line, partly in quotes: `--title "Two words"`. */
function wordsOf(line: string): string[] {
  return (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/gu) ?? []).map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/gu, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
}

export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
}
