import type {Operation} from '../contract/operation.js'
import {documentWords} from '../contract/reading.js'
import type {Route} from '../http/route/route.js'
import type {Values} from '../rules/templates.js'
import {placeParameters} from './request/request.js'

export interface Redaction {
  /** Hears of a secret in a request or an answer, and of its field, before either could be shown. */
  readonly addSecret?: (secret: string | Uint8Array, name: string) => void
  /** Masks repeated secrets in a result, before it is split or laid out in lines. */
  readonly maskResult?: <T>(value: T) => T
  /** Hears words of the documents, which are never masked. */
  readonly keepWords?: (words: Iterable<string>) => void
}

export class CallRedaction {
  readonly #to: Redaction
  readonly #known = new Set<Operation>()

  constructor(to: Redaction) {
    this.#to = to
  }

  /** Registers the secrets of a request. A route may send one under another name than the document's. */
  beforeCall(operation: Operation, route: Route, values: () => Values): void {
    this.#keepWords(operation)
    if (!operation.secrets) return
    const all = values()
    for (const {parameter, sentAs} of placeParameters(operation, route)) {
      if (operation.secrets.includes(parameter.name)) this.#add(all[parameter.name], sentAs)
    }
  }

  /** Registers the secrets in an answer, and returns it with all others masked. */
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

/** The members of an object; a list, which may have millions of elements, has none. */
function membersOf(data: unknown): Values {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? {...data} : {}
}
