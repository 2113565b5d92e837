import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {passTime, valuesIn} from '../../test/disk/look.js'
import {tool} from '../../test/disk/tool.js'
import {everyFile} from '../../test/disk/written.js'
import type {Written} from '../../test/disk/writtenFile.js'

/** The files whose commands can be killed, by the word that chooses them. */
export const killable: Readonly<Record<string, Written | undefined>> = Object.fromEntries(
  everyFile.map((one) => [one.word, one]),
)

/** The results of killing the command of one file. */
export interface FileKills {
  readonly kills: number
  /** Commands that had ended before their kill. */
  readonly late: number
  /** Kills after which the new value was there. */
  readonly written: number
  /** Files that were neither the old nor the new version, whole. */
  readonly broken: number
  /** Values that the command had reported and that were missing. */
  readonly lost: number
}

/** Runs the command of a file and kills it (SIGKILL) at random moments, `kills` times; checks the file after each. */
export async function killWrites(one: Written, kills: number, random: () => number): Promise<FileKills> {
  const dir = mkdtempSync(path.join(tmpdir(), 'roomctl-kills-'))
  const below = (name: string) => path.join(dir, name)
  const {PATH = ''} = process.env
  const place = {
    dir,
    env: {
      ...{PATH, HOME: dir, XDG_DATA_HOME: below('data')},
      ...{ROOMCTL_CONFIG_DIR: below('config'), ROOMCTL_STATE_DIR: below('state'), ROOMCTL_CACHE_DIR: below('cache')},
    },
  }
  try {
    await tool(place, {words: ['sandbox', 'reset', '--seed', 'demo']})
    one.prepare?.(dir, 3 * kills + 2)
    for (const n of [1, 2]) await tool(place, one.write(n))
    mkdirSync(below(one.folder), {recursive: true})
    return await killing(one, place, kills, random)
  } finally {
    rmSync(dir, {recursive: true, force: true})
  }
}

async function killing(one: Written, place: Parameters<typeof tool>[0], kills: number, random: () => number) {
  const report = {kills: 0, late: 0, written: 0, broken: 0, lost: 0}
  const begun = performance.now()
  await tool(place, one.write(3))
  const scale = performance.now() - begun
  for (let n = 4; report.kills < kills && n < 3 * kills; n += 1) {
    passTime(path.join(place.dir, one.folder))
    const met = await killOnce(one, place, n, Math.ceil(random() * scale))
    report[met.isKilled ? 'kills' : 'late'] += 1
    if (met.isKilled && met.found === 'new') report.written += 1
    if (met.found === 'neither') report.broken += 1
    if (met.isTold && met.found !== 'new') report.lost += 1
  }
  return report
}

/** Writes one value and kills the command after a delay in milliseconds. */
async function killOnce(one: Written, place: Parameters<typeof tool>[0], n: number, killAfterMs: number) {
  const before = look(one, place.dir)
  const {signal, stdout} = await tool(place, one.write(n), {killAfterMs})
  const after = look(one, place.dir)
  const written = JSON.stringify(one.keeps === 'all' ? [...valuesOf(before), n] : [n])
  const found = after === written ? 'new' : after === before ? 'old' : 'neither'
  return {found, isKilled: signal !== null, isTold: signal === null || stdout !== ''}
}

function valuesOf(json: string): number[] {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value : []
}

/** The values as JSON, or why they cannot be read. */
function look(one: Written, home: string): string {
  try {
    return JSON.stringify(valuesIn(one, home))
  } catch (error) {
    return JSON.stringify(String(error))
  }
}
