import type * as z from 'zod/mini'

/** The three services; each has its own address and credential. */
export const services = ['room', 'asset', 'push'] as const
export type Service = (typeof services)[number]

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS'

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
  /** What it does, in the document's words; begins with a verb, ends without a full stop. */
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
  /**
   * What the operation does to the service, which decides what may happen after a lost answer:
   * `read` changes nothing and may be repeated, `state` is settled by reading the room,
   * `create` makes something new each time and is never repeated.
   */
  readonly effect: 'read' | 'state' | 'create'
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

/** The route of an operation unless a profile or flag sets another. */
export function documentedRoute({method, route: path}: Operation) {
  return {method, path}
}

/** What a successful call gives back. */
export type Output<O extends Operation> = z.output<O['reply']>

/** Every error code of the room document (room, Errors), and the value that its recording sample shows (room §14). */
export const codes = [
  'CE001',
  'CE002',
  'CE003',
  'CE100',
  'CE101',
  'CE200',
  'U001',
  'D001',
  'T001',
  'T002',
  'ER001',
  'AA001',
  'AA002',
  'BR001',
  'BA001',
  'DH001',
  'RE001',
  'RE003',
  'FAILED_PRECONDITION',
] as const

export type Code = (typeof codes)[number]

/** The codes that every operation of the room service can answer with (room, Errors, Common). */
export const commonCodes = ['CE001', 'CE002', 'CE003', 'CE100', 'CE101', 'CE200'] as const satisfies readonly Code[]

/** Says whether a code is one of the documents'; the service may answer others. */
export function isCode(text: string): text is Code {
  return (codes as readonly string[]).includes(text)
}

/** A parameter of an operation, by its document name, and where the document has it. */
export interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'body' | 'file'
  /** One text, number or truth value, which can stand anywhere; not a list, an object or a file. */
  readonly isScalar: boolean
}

const scalars = new Set(['string', 'number', 'boolean', 'enum', 'literal'])

/** The parameters of an operation that a route may place, path first: all but its headers. */
export function parametersOf({path, query, body, files}: Operation): Parameter[] {
  return [
    ...membersOf('path', path),
    ...membersOf('query', query),
    ...membersOf('body', body),
    ...membersOf('file', files),
  ]
}

function membersOf(place: Parameter['place'], shape: z.ZodMiniType | undefined): Parameter[] {
  if (!shape) return []
  // zod tells the kinds of its shapes apart by this union; `ZodMiniType` itself knows only that there is a kind.
  const {def} = (shape as unknown as z.core.$ZodTypes)._zod
  if (def.type !== 'object') return []
  return Object.entries(def.shape).map(([name, member]) => ({name, place, isScalar: scalars.has(kindOf(member))}))
}

function kindOf(shape: z.core.$ZodType): string {
  const {def} = (shape as z.core.$ZodTypes)._zod
  return def.type === 'optional' || def.type === 'nullable' ? kindOf(def.innerType) : def.type
}
