import type * as z from 'zod/mini'
import {type Advice, mapAdvice} from '../../advice.js'
import {someOf} from '../../text/text.js'
import type {Code} from './codes.js'
import type {Meaning} from './meanings.js'
import type {StateTable, Who} from './states.js'

export const services = ['room', 'asset', 'push'] as const
export type Service = (typeof services)[number]

export const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** The methods that change nothing, of a request that no operation describes. */
export const readingMethods: ReadonlySet<string> = new Set<Method>(['GET', 'HEAD', 'OPTIONS'])

/**
 * Where an operation's result is: in `data` of the envelope, in the whole JSON body (`json-or-none`: null for 204),
 * in the headers under their lower-case names, or nowhere. Of a body that the document does not show (`unshown`) it is the JSON, or
 * null. The HTTP status decides success, except with an envelope.
 */
export type ResponseFormat = 'envelope' | 'json' | 'json-or-none' | 'headers' | 'nothing' | 'unshown'

type Shape = z.ZodMiniType
type Fields = z.ZodMiniType<Record<string, unknown>, Record<string, unknown>>

/** A documented operation, as data. The types of its arguments and of its reply are inferred from the shapes. */
export interface Operation {
  /** The name used by `config route`, `--route`, `explain --operation` and the journal. */
  readonly id: string
  readonly service: Service
  /** In the document's words; begins with a verb, ends without a full stop. */
  readonly purpose: string
  /** Follows `cannot` in a failure: `end room {roomId}`, with the call's values. */
  readonly action: string
  /** The section of the document: `room §11`. */
  readonly source: string
  readonly method: Method
  /** Appended to the service's base address; parameters in braces with the document's names. */
  readonly route: string
  /** The decision record of a method and path that the document does not show. */
  readonly assumed?: string
  /**
   * What may happen after a lost answer: `read` changes nothing and may be repeated, `state` is settled by reading the room,
   * `create` makes something new each time and is never repeated.
   */
  readonly effect: 'read' | 'state' | 'create'
  readonly path: Fields
  /** The path parameter whose value is a path itself: its slashes stay. */
  readonly catchAll?: string
  readonly query: Fields
  readonly headers?: Fields
  readonly body?: Fields
  /** The files of a multipart/form-data body as bytes. An operation has a JSON body or files. */
  readonly files?: Fields
  /** The parameters and reply members that are secrets. */
  readonly secrets?: readonly string[]
  /** The documented statuses of success; any other 2xx is a success with a warning. */
  readonly successes?: readonly number[]
  /** The documented statuses of refusal, of a service without codes. */
  readonly refusals?: readonly number[]
  readonly responseFormat?: ResponseFormat
  readonly reply: Shape
  /** Of a list: whether an answer says that it is not all of it. */
  readonly saysMore?: (reply: unknown) => boolean
  /** Whether an optional member of a row of the reply may have another type: it is null then. No change may rest on it. */
  readonly hasUnreadableCells?: true
  /** The codes of the document's "Per operation" table and of its samples, without the common ones. */
  readonly fails: readonly Code[]
  /** Meanings of codes and statuses that differ from the general ones. */
  readonly meanings?: Readonly<Partial<Record<Code, Meaning>>>
  readonly statuses?: Readonly<Record<number, Meaning>>
  /** Who may make the request; `none` if it names no requester. */
  readonly requester: Who
  /** `any` if the state of a room plays no part. */
  readonly states: StateTable | 'any'
  /** Of an operation that changes something. */
  readonly change?: ChangeEffects
}

/** The effects of a change, for the journal, evidence and history. */
export interface ChangeEffects {
  /** The members of query and body to journal: targets, never text or credentials. */
  readonly journal: readonly string[]
  /** Whether a read can show that it was made (src/api/rules/evidence.ts). */
  readonly isShown: boolean
  /** The headline after a lost answer: `room {roomId} may have been ended`. */
  readonly mayHave: string
  /** If the outcome is unknown: the command that shows it, or advice. */
  readonly ifUnknown: Advice
  /** Another operation puts back what was there before (src/features/history/reverse.ts). */
  readonly isReversible?: true
}

/** A request of the user's own: no document shows its route, its answer or its codes. */
export interface RawRequest extends Pick<Operation, 'id' | 'service' | 'action' | 'effect' | 'responseFormat'> {
  readonly change: Pick<ChangeEffects, 'mayHave' | 'ifUnknown'>
  readonly route?: undefined
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

/** `path` and `query` are absent for an operation without any. */
export type Input<O extends Operation> = NeededIf<'path', z.input<O['path']>> &
  NeededIf<'query', z.input<O['query']>> &
  HeadersOf<O> &
  BodyOf<O> &
  FilesOf<O>

/** The route of an operation unless a profile or flag sets another. */
export function documentedRoute({method, route: path}: Operation) {
  return {method, path}
}

export type Output<O extends Operation> = z.output<O['reply']>

export interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'body' | 'file'
  /** Text, number or truth value, which can be sent anywhere; not a list, an object or a file. */
  readonly isScalar: boolean
}

const scalars = new Set(['string', 'number', 'boolean', 'enum', 'literal'])

/** The parameters of an operation that a route may move, path first: all but its headers. */
export function parametersOf({path, query, body, files}: Operation): Parameter[] {
  return [
    ...membersOf('path', path),
    ...membersOf('query', query),
    ...membersOf('body', body),
    ...membersOf('file', files),
  ]
}

/** The members of the answer that the document shows; none if it is no object. */
export function replyMembers({reply}: Pick<Operation, 'reply'>): string[] {
  return membersOf('body', reply).map(({name}) => name)
}

function membersOf(place: Parameter['place'], shape: z.ZodMiniType | undefined): Parameter[] {
  if (!shape) return []
  // zod distinguishes the kinds of its shapes by this union.
  const {def} = (shape as unknown as z.core.$ZodTypes)._zod
  if (def.type !== 'object') return []
  return Object.entries(def.shape).map(([name, member]) => ({name, place, isScalar: scalars.has(kindOf(member))}))
}

function kindOf(shape: z.core.$ZodType): string {
  const {def} = (shape as z.core.$ZodTypes)._zod
  return def.type === 'optional' || def.type === 'nullable' ? kindOf(def.innerType) : def.type
}

export type Values = Readonly<Record<string, unknown>>

/** More names make a sentence unreadable. */
const namesShown = 5

/** Fills a call's values into a text of the contract: `{roomId}`. Of a long list the first few; an unknown value is named. */
export function fillText(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words(values[name]) ?? placeholder(name))
}

/** Fills a call's values into an advice of the contract; a list into a command as its items. */
export function fillAdvice(advice: Advice, values: Values): Advice {
  const fill = (text: string) => fillText(text, values)
  return mapAdvice(advice, fill, (arg) => {
    const value = values[/^\{(\w+)\}$/u.exec(arg)?.[1] ?? '']
    return Array.isArray(value) ? value.map(String) : [fill(arg)]
  })
}

function words(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return Array.isArray(value) ? someOf(value.map(String), namesShown) : String(value)
}

/** `{roomId}` and `{user_id}` as the help names them: ROOM, USER. */
function placeholder(name: string): string {
  return name.replace(/_?[iI]d$/, '').toUpperCase()
}
