import {createHash} from 'node:crypto'
import {createReadStream, readFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {Failure} from '../../api/contract/failure.js'
import {systemReason} from '../../storage/disk/reason.js'

const readAtOnce = 1024 * 1024

/**
 * The sha256 of a file in hex; of a small one, by `size`, it is read at once, which takes a tenth of the time of a stream. Raises a
 * Failure (file), and the signal's error when it ends the reading.
 */
export async function digestOf(path: string, signal?: AbortSignal, size?: number): Promise<string> {
  return reading(path, async () => {
    const hash = createHash('sha256')
    if (size !== undefined && size <= readAtOnce) return hash.update(readFileSync(path)).digest('hex')
    for await (const chunk of createReadStream(path, {highWaterMark: readAtOnce, ...(signal ? {signal} : {})}))
      hash.update(chunk)
    return hash.digest('hex')
  })
}

/** The content of a JSON file. Raises a Failure (file), which does not repeat what the file holds. */
export async function jsonOf(path: string): Promise<unknown> {
  const text = await reading(path, () => readFile(path, 'utf8'))
  try {
    return JSON.parse(text.replace(/^\ufeff/u, ''))
  } catch {
    throw new Failure({exit: 'file', message: `${path} is not JSON`, why: 'it is to be compared with the catalog view'})
  }
}

async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Failure({exit: 'file', message: `cannot read ${path}`, why: systemReason(error)}, {cause: error})
  }
}
