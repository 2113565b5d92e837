import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, hint, ok} from './finding.js'

const check = 'node'

/** The oldest Node that roomctl runs on. */
const oldest = [20, 19] as const

/** The day from which on the even lines of Node get no more fixes, by Node's own plan of releases. */
const ends: Readonly<Record<number, string>> = {20: '2026-05-01', 22: '2027-05-01', 24: '2028-05-01'}

/** Whether this Node (`v20.19.1`) is new enough, and whether it still gets fixes. */
export function checkNode(version: string, now: Date): Diagnosis {
  const [major = 0, minor = 0] = version.replace(/^v/u, '').split('.').map(Number)
  const details = {version}
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    const what = `Node ${version} is older than what roomctl runs on`
    return fail(check, what, `install Node ${oldest.join('.')} or later, best a line that gets fixes`, details)
  }
  const end = ends[major] ?? (major % 2 === 1 ? '' : undefined)
  if (end === '')
    return hint(check, `Node ${version} is of a line without long support`, 'install the newest even line', details)
  if (end === undefined || now.getTime() < Date.parse(end)) return ok(check, `Node ${version}`, details)
  const what = `Node ${version} runs roomctl, but its line gets no fixes since ${end}`
  return hint(check, what, 'install Node 24 or later', details)
}
