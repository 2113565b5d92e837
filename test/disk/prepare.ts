import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'

/** Makes a file for each value that is uploaded. */
export function filesToUpload(home: string, most = 80): void {
  for (let n = 0; n <= most; n += 1) writeFileSync(path.join(home, `value-${n}.bin`), `the value ${n}\n`.repeat(2000))
}

/** The content of a value's resource, for a download of it. */
export function contentOf(n: number): string {
  return `the value ${n}\n`.repeat(200)
}

/** Puts resources into the sandbox, each with a value of its own. */
export function resourcesToDownload(home: string, most = 20): void {
  makeOut(home)
  const file = path.join(home, 'data/roomctl/sandbox/world.json')
  const world = JSON.parse(readFileSync(file, 'utf8'))
  const [first] = world.resources
  for (let n = 0; n <= most; n += 1) {
    const content = Buffer.from(contentOf(n))
    world.resources.push({...first, uuid: `value-${n}`, size: content.length, content: content.toString('base64')})
  }
  writeFileSync(file, JSON.stringify(world))
}

/** Makes a profile for each value that is exported. */
export function profilesToExport(home: string, most = 20): void {
  makeOut(home)
  const names = Array.from({length: most + 1}, (_, n) => [`value-${n}`, {applicationId: `app-${n}`}])
  mkdirSync(path.join(home, 'config'), {mode: 0o700})
  const text = JSON.stringify({version: 2, profiles: Object.fromEntries(names)})
  writeFileSync(path.join(home, 'config/config.json'), text, {mode: 0o600})
}

/** Makes the folder of what a person names. */
function makeOut(home: string): void {
  mkdirSync(path.join(home, 'out'), {recursive: true})
}
