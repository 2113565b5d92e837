import {existsSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {type Chapter, onSandbox, type Step} from './day.js'
import {Shell} from './shell.js'

export interface Stage {
  /** The folder of the package, whose built binary is played on. */
  readonly root: string
  readonly inColour: boolean
  readonly print: (text: string) => unknown
}

/**
 * Plays the chapters in temporary homes: prints each command as typed, and its output. Chapters that
 * need no earlier one are played at the same time, and printed in their order. Returns the exit code: 1 as
 * soon as a command ends differently than expected.
 */
export async function play(chapters: readonly Chapter[], stage: Stage): Promise<number> {
  const {root, print} = stage
  if (!existsSync(path.join(root, 'dist/main.cjs'))) {
    print('nothing is built yet: npm run build')
    return 1
  }
  const place = mkdtempSync(path.join(tmpdir(), 'roomctl-demo-'))
  const clean = () => rmSync(place, {recursive: true, force: true})
  const stop = () => {
    clean()
    process.exit(130)
  }
  process.once('SIGINT', stop)
  try {
    return (await playParts(partsOf(chapters), stage, place)) ? 0 : 1
  } finally {
    process.off('SIGINT', stop)
    clean()
  }
}

/** The chapters in runs that each begin with an independent one. */
function partsOf(chapters: readonly Chapter[]): Chapter[][] {
  const parts: Chapter[][] = []
  for (const chapter of chapters) {
    const last = parts.at(-1)
    if (last === undefined || chapter.isFresh) parts.push([chapter])
    else last.push(chapter)
  }
  return parts
}

/** Plays all parts at once. What a later one prints is held back until those before it have ended well. */
async function playParts(parts: readonly Chapter[][], stage: Stage, place: string): Promise<boolean> {
  const held = parts.map((): string[] => [])
  const outcomes: (boolean | undefined)[] = parts.map(() => undefined)
  let shown = 0
  await Promise.all(
    parts.map(async (part, at) => {
      const print = (text: string) => (at === shown ? stage.print(text) : held[at]?.push(text))
      const isOver = () => outcomes.slice(0, at).includes(false)
      outcomes[at] = await playPart(part, {...stage, print}, path.join(place, `home${at + 1}`), isOver)
      for (; outcomes[shown]; shown += 1) held[shown + 1]?.forEach(stage.print)
    }),
  )
  return outcomes.every((outcome) => outcome === true)
}

/** Plays chapters one after the other in a home of their own. False when a command went another way than it must, or the day is over. */
async function playPart(
  chapters: readonly Chapter[],
  stage: Stage,
  home: string,
  isOver: () => boolean,
): Promise<boolean> {
  const {root, inColour, print} = stage
  mkdirSync(home)
  const shell = new Shell({root, home, inColour})
  const found = new Map<string, string>()
  if (chapters[0]?.isFresh) for (const {type} of onSandbox) await shell.run(type)
  for (const {heading, prepare, steps} of chapters) {
    print(strong(`── ${heading}\n`, inColour))
    prepare?.(home)
    for (const step of steps) {
      if (isOver() || !(await playStep(step, shell, found, stage))) return false
    }
  }
  return true
}

/** Shows one command and its output, and keeps found values. False if it ended differently than expected. */
async function playStep(
  {type, exit = 0, find, play: playLine}: Step,
  shell: Shell,
  found: Map<string, string>,
  {inColour, print}: Stage,
): Promise<boolean> {
  const line = type.replace(/\{(\w+)\}/g, (whole, name) => found.get(name) ?? whole)
  print(strong(`$ ${line}`, inColour))
  const ran = await (playLine ? playLine(shell, line) : shell.run(line))
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
