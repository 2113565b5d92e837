import type {Operation} from '../contract/operation.js'
import {documentWords} from '../contract/words.js'
import type {Route} from '../http/route/route.js'
import type {Values} from '../rules/templates.js'
import {placeParameters} from './request/requestParts.js'

/** What keeps secrets off the screen, and is to know them before anything could be shown. */
export interface Redaction {
  /** Takes note of a secret that a request carries or an answer holds, and of its field there, before either could be shown. */
  readonly addSecret?: (secret: string | Uint8Array, name: string) => void
  /** Takes out of a result what repeats a secret, before a part of it is told from the rest or laid out in lines. */
  readonly maskResult?: <T>(value: T) => T
  /** Takes note of words of the documents, which are never masked. */
  readonly keepWords?: (words: Iterable<string>) => void
}

/** What the redaction learns from each call, by what the contract says of the operation. */
export class CallRedaction {
  readonly #to: Redaction
  readonly #known = new Set<Operation>()

  constructor(to: Redaction) {
    this.#to = to
  }

  /** Takes note of the secrets of a request. A route may send one under another name than the document's. */
  beforeCall(operation: Operation, route: Route, values: () => Values): void {
    this.#keepWords(operation)
    if (!operation.secrets) return
    const all = values()
    for (const {parameter, sentAs} of placeParameters(operation, route)) {
      if (operation.secrets.includes(parameter.name)) this.#add(all[parameter.name], sentAs)
    }
  }

  /** Takes note of the secrets in the data of an answer, and gives it back without what it repeats. The secrets that it is to give are its own. */
  ofAnswer({secrets = []}: Operation, data: unknown): unknown {
    const own = Object.entries(membersOf(data)).filter(([name]) => secrets.includes(name))
    for (const [name, value] of own) this.#add(value, name)
    const shown = this.#to.maskResult?.(data) ?? data
    return own.length === 0 ? shown : {...membersOf(shown), ...Object.fromEntries(own)}
  }

  #keepWords(operation: Operation): void {
    if (this.#known.has(operation)) return
    this.#known.add(operation)
    this.#to.keepWords?.(documentWords(operation))
  }

  #add(value: unknown, name: string): void {
    if (typeof value === 'string' || value instanceof Uint8Array) this.#to.addSecret?.(value, name)
  }
}

/** Those of an object; a list, which may be of millions, has none that a document names. */
function membersOf(data: unknown): Values {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? {...data} : {}
}
