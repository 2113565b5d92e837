import type * as z from 'zod/mini'
import type {Code} from './codes.js'

/** The three services; each has its own address and credential. */
export const services = ['room', 'asset', 'push'] as const
export type Service = (typeof services)[number]

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS'

/**
 * What the operation does to the service, which decides what may happen after a lost answer:
 * `read` changes nothing and may be repeated, `state` is settled by reading the room,
 * `create` makes something new each time and is never repeated.
 */
export type Effect = 'read' | 'state' | 'create'

/**
 * Where an operation's result stands in its answer: in `data` of the envelope, in the whole JSON body (`json`; `json-or-none`:
 * null where there is no body), in the headers under their lower-case names (`headers`), or nowhere (`nothing`). Of a body that
 * the document does not show (`unshown`) the JSON is given, and null for anything else. But for the envelope, the HTTP status
 * decides success.
 */
export type Answers = 'envelope' | 'json' | 'json-or-none' | 'headers' | 'nothing' | 'unshown'

type Shape = z.ZodMiniType
type Fields = z.ZodMiniType<Record<string, unknown>, Record<string, unknown>>

/** One documented operation, as data. The types of its arguments and of its reply are inferred from the shapes. */
export interface Operation {
  /** The name used by `config route`, `--route`, `explain --operation` and the journal. */
  readonly id: string
  readonly service: Service
  /** What it does, in the document's words; begins with a verb, ends without a stop. */
  readonly purpose: string
  /** What a failure says could not be done: `cannot end room {roomId}`, with the call's own values. */
  readonly doing: string
  /** Where the document says so: `room §11`. */
  readonly source: string
  readonly method: Method
  /** The path template, appended to the service's base address; parameters in braces with the document's names. */
  readonly route: string
  /** The decision record that says why this method and path: the document shows none. */
  readonly assumed?: string
  readonly effect: Effect
  readonly path: Fields
  /** The path parameter whose value is a path itself: its slashes stay, and stand between segments. */
  readonly deep?: string
  readonly query: Fields
  /** The request headers that the document names, by its names. Absent where it names none. */
  readonly headers?: Fields
  /** The members of the JSON body. Absent where the operation has none. */
  readonly body?: Fields
  /** The files of a multipart/form-data body, by their field names, as bytes. An operation has a JSON body or files. */
  readonly files?: Fields
  /** The parameters, and the members of the reply, whose values are secrets: masked wherever they would be shown. */
  readonly secrets?: readonly string[]
  /** The documented statuses of success; another 2xx is a success that is remarked upon. Absent where none are shown. */
  readonly successes?: readonly number[]
  /** Absent for `envelope`. */
  readonly answers?: Answers
  /** The shape of the result. */
  readonly reply: Shape
  /** The codes of the document's "Per operation" table and of its samples; the common codes can come from every operation. */
  readonly fails: readonly Code[]
}

/** The identity: it makes the compiler keep the exact shapes of an entry. */
export function operation<const O extends Operation>(entry: O): O {
  return entry
}

type BodyOf<O extends Operation> = O extends {readonly body: infer B extends Fields}
  ? {body: z.input<B>}
  : {body?: never}
type HeadersOf<O extends Operation> = O extends {readonly headers: infer H extends Fields}
  ? {headers: z.input<H>}
  : {headers?: never}
type FilesOf<O extends Operation> = O extends {readonly files: infer F extends Fields}
  ? {files: z.input<F>}
  : {files?: never}
type NeededIf<Key extends string, T> = Record<string, never> extends T ? {[K in Key]?: T} : {[K in Key]: T}

/** The arguments of an operation: `path` and `query` (absent when it takes none), `headers`, `body` and `files`. */
export type Input<O extends Operation> = NeededIf<'path', z.input<O['path']>> &
  NeededIf<'query', z.input<O['query']>> &
  HeadersOf<O> &
  BodyOf<O> &
  FilesOf<O>

/** What a successful call gives back. */
export type Output<O extends Operation> = z.output<O['reply']>
