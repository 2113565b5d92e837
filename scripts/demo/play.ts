import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import type {Chapter, Step} from './day.js'
import {Shell} from './shell.js'

export interface Stage {
  /** The folder of the package, whose built binary is played on. */
  readonly root: string
  readonly inColour: boolean
  readonly print: (text: string) => void
}

/**
 * Plays the chapters in a home of their own, which is gone afterwards: prints each command as a person would type it, and
 * what it printed. Gives back the exit code: 1 as soon as a command ends another way than it must.
 */
export async function play(chapters: readonly Chapter[], stage: Stage): Promise<number> {
  const {root, inColour, print} = stage
  if (!existsSync(path.join(root, 'dist/main.cjs'))) {
    print('nothing is built yet: npm run build')
    return 1
  }
  const home = mkdtempSync(path.join(tmpdir(), 'roomctl-demo-'))
  const clean = () => rmSync(home, {recursive: true, force: true})
  const stop = () => {
    clean()
    process.exit(130)
  }
  process.once('SIGINT', stop)
  try {
    const shell = new Shell({root, home, inColour})
    const found = new Map<string, string>()
    for (const {heading, prepare, steps} of chapters) {
      print(strong(`── ${heading}\n`, inColour))
      prepare?.(home)
      for (const step of steps) {
        if (!(await playStep(step, shell, found, stage))) return 1
      }
    }
    return 0
  } finally {
    process.off('SIGINT', stop)
    clean()
  }
}

/** Shows one command and what it prints, and keeps what it finds. False when it went another way than it must. */
async function playStep(
  {type, exit = 0, find}: Step,
  shell: Shell,
  found: Map<string, string>,
  {inColour, print}: Stage,
): Promise<boolean> {
  const line = type.replace(/\{(\w+)\}/g, (whole, name) => found.get(name) ?? whole)
  print(strong(`$ ${line}`, inColour))
  const ran = await shell.run(line)
  print(ran.output)
  if (ran.exit !== exit) {
    print(`the demo ends here: this ended with ${ran.exit}, and it must end with ${exit}`)
    return false
  }
  if (find === undefined) return true
  const [, value] = find.pattern.exec(ran.output) ?? []
  if (value !== undefined) found.set(find.name, value)
  else print(`the demo ends here: the output tells no ${find.name}`)
  return value !== undefined
}

function strong(text: string, inColour: boolean): string {
  return inColour ? `\u001b[1m${text}\u001b[22m` : text
}
