import {closeSync, readSync, statSync} from 'node:fs'
import {TextDecoder} from 'node:util'
import {openPrivateFile} from '../disk/privateFile.js'
import type {LogForm} from './log.js'
import {parseRecord} from './rotate.js'

/** Reads what was appended to a log since the last look, for a state that several processes fold from it. */
export class LogTail<T> {
  readonly #path: string
  readonly #shape: LogForm<T>['shape']
  readonly #decoder = new TextDecoder('utf-8', {fatal: true})
  /** Up to where its whole lines were read. */
  #end = 0

  constructor(path: string, {shape}: Pick<LogForm<T>, 'shape'>) {
    this.#path = path
    this.#shape = shape
  }

  /** The records of the whole lines since the last call; a damaged one is left out. Raises an UnusableFile and the system's error. */
  unread(): T[] {
    const bytes = this.#unreadBytes()
    const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
    this.#end += whole.length
    const records: T[] = []
    for (let from = 0, end = whole.indexOf(0x0a); end !== -1; from = end + 1, end = whole.indexOf(0x0a, from)) {
      const record = parseRecord(whole.subarray(from, end), this.#shape, this.#decoder)
      if (record !== undefined) records.push(record)
    }
    return records
  }

  #unreadBytes(): Buffer {
    const size = statSync(this.#path, {throwIfNoEntry: false})?.size ?? 0
    const descriptor = size > this.#end ? openPrivateFile(this.#path) : undefined
    if (descriptor === undefined) return Buffer.alloc(0)
    try {
      const bytes = Buffer.alloc(size - this.#end)
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, this.#end))
    } finally {
      closeSync(descriptor)
    }
  }
}
