import {Failure, failureJson} from '../../src/failure.js'

/** The shape of JSON values: their types, of objects the number and how many had each member, of arrays all elements. */
export interface Shape {
  readonly types: readonly string[]
  /** The closed set of its texts, if a type declares it; empty if a type declares any text. */
  readonly texts?: readonly string[]
  readonly objects?: Objects
  readonly items?: Shape
}

interface Objects {
  readonly count: number
  readonly members: Readonly<Record<string, Member>>
  /** They are of a type of roomctl's own, whatever members of it a service has, too. */
  readonly isOwn?: boolean
}

interface Member {
  readonly count: number
  readonly shape: Shape
}

export function shapeOf(value: unknown): Shape {
  if (value === null) return {types: ['null']}
  if (Array.isArray(value)) {
    const items = value.map(shapeOf)
    return {types: ['array'], ...(items.length > 0 ? {items: items.reduce(mergedShape)} : {})}
  }
  if (typeof value !== 'object') return {types: [Number.isInteger(value) ? 'integer' : typeof value]}
  const members = Object.entries(value).map(([name, member]) => [name, {count: 1, shape: shapeOf(member)}])
  return {types: ['object'], objects: {count: 1, members: Object.fromEntries(members)}}
}

/** The shape of the values of both, in one order whichever comes first. */
export function mergedShape(one: Shape, other: Shape): Shape {
  const objects = [one.objects, other.objects].filter((some) => some !== undefined)
  const items = [one.items, other.items].filter((some) => some !== undefined)
  const texts = [one.texts, other.texts].filter((some) => some !== undefined)
  const isOpen = texts.some(({length}) => length === 0)
  return {
    types: [...new Set([...one.types, ...other.types])].sort(),
    ...(texts.length > 0 ? {texts: isOpen ? [] : [...new Set(texts.flat())].sort()} : {}),
    ...(objects.length > 0 ? {objects: objects.reduce(mergedObjects)} : {}),
    ...(items.length > 0 ? {items: items.reduce(mergedShape)} : {}),
  }
}

function mergedObjects(one: Objects, other: Objects): Objects {
  const names = [...new Set([...Object.keys(one.members), ...Object.keys(other.members)])].sort()
  const members = names.map((name): [string, Member] => {
    const both = [one, other].flatMap(({members}) => (Object.hasOwn(members, name) ? (members[name] ?? []) : []))
    return [name, both.reduce((a, b) => ({count: a.count + b.count, shape: mergedShape(a.shape, b.shape)}))]
  })
  const isOwn = one.isOwn || other.isOwn
  return {count: one.count + other.count, members: Object.fromEntries(members), ...(isOwn ? {isOwn} : {})}
}

interface Sighting {
  /** Of the sandbox. */
  readonly seen: readonly Shape[]
  readonly foreign: readonly Shape[]
  /** Of the views that draw it. */
  readonly declared: readonly Shape[]
  /** Whether all of it is roomctl's own, whatever service was called. */
  readonly isOwn: boolean
}

/**
 * The shapes of the sandbox, of other services and of the declared types in one. Another service sends members of its own:
 * only those count that the sandbox or a type has, too. Of the types that fit, the one with the fewest members counts.
 */
export function unitedShape({seen, foreign, declared, isOwn}: Sighting): Shape {
  const own = (seen.length > 0 ? seen : foreign).reduce(mergedShape)
  const [fitting] = declared.filter((one) => fits(own, one)).sort((a, b) => membersIn(a).length - membersIn(b).length)
  const known = fitting ? mergedShape(own, fitting) : own
  return foreign.map((one) => (isOwn ? one : onlyKnown(one, known))).reduce(mergedShape, known)
}

/** Whether values of the shape can be of a declared type: it has each of their members, and no other that is always there. */
function fits(seen: Shape, declared: Shape): boolean {
  if (declared.items) return seen.items !== undefined && fits(seen.items, declared.items)
  const [own, type] = [seen.objects?.members ?? {}, declared.objects?.members ?? {}]
  return (
    seen.objects !== undefined &&
    Object.keys(own).every((name) => name in type) &&
    Object.entries(type).every(([name, {count}]) => count === 0 || name in own)
  )
}

function membersIn({items, objects}: Shape): string[] {
  return items ? membersIn(items) : Object.keys(objects?.members ?? {})
}

/** The shape without the members that a known object does not have. */
function onlyKnown({objects, items, types}: Shape, known: Shape | undefined): Shape {
  const own = known?.objects?.members
  const members = Object.entries(objects?.members ?? {}).flatMap(([name, {count, shape}]) =>
    own && !(name in own) ? [] : [[name, {count, shape: onlyKnown(shape, own?.[name]?.shape)}] as const],
  )
  return {
    types,
    ...(objects ? {objects: {count: objects.count, members: Object.fromEntries(members)}} : {}),
    ...(items ? {items: onlyKnown(items, known?.items)} : {}),
  }
}

/** Members that have one form in every answer: what one command shows of it holds for the others. */
const alike = new Set(['error', 'expected', 'findings'])
/** The same in the requests that a dry run shows. */
const alikeInRequests = new Set(['body', 'method', 'note', 'url'])

/** The shapes, with the members that are alike merged over all of them. */
export function withAlike<Of extends {readonly form: string; readonly shape: Shape}>(all: readonly Of[]): Of[] {
  const merged = new Map([['error', everyError()]])
  const keyOf = (name: string, form: string) =>
    alike.has(name) ? name : form.includes('--dry-run') && alikeInRequests.has(name) ? `request ${name}` : undefined
  for (const {form, shape} of all) {
    visit(shape, (name, member) => {
      const key = keyOf(name, form)
      if (key !== undefined) merged.set(key, mergedShape(member, merged.get(key) ?? member))
    })
  }
  return all.map((one) => ({...one, shape: replaced(one.shape, (name) => merged.get(keyOf(name, one.form) ?? ''))}))
}

/** A failure on stderr, with and without the notes before it. */
export function failureShape(): Shape {
  const [error, waited] = [undefined, 0].map((retryAfterMs) =>
    failureJson(new Failure({exit: 'bug', message: '', retryAfterMs})),
  )
  return [{error}, {error: waited, notes: ['']}].map(shapeOf).reduce(mergedShape)
}

/** The shape of a failure in JSON: the sandbox shows only a part. */
function everyError(): Shape {
  const least = new Failure({exit: 'bug', message: ''})
  const texts = {why: '', try: '', serviceMessage: '', body: '', registered: '', retryAfterMs: 0}
  const most = new Failure({...least.facts, ...texts, httpStatus: 500})
  return [least, most].map((failure) => shapeOf(failureJson(failure))).reduce(mergedShape)
}

function visit({objects, items}: Shape, see: (name: string, shape: Shape) => void): void {
  if (items) visit(items, see)
  for (const [name, {shape}] of Object.entries(objects?.members ?? {})) {
    see(name, shape)
    visit(shape, see)
  }
}

function replaced(shape: Shape, by: (name: string) => Shape | undefined): Shape {
  const {objects, items} = shape
  const members = Object.entries(objects?.members ?? {}).map(([name, {count, shape: own}]) => [
    name,
    {count, shape: by(name) ?? replaced(own, by)},
  ])
  return {
    ...shape,
    ...(objects ? {objects: {...objects, members: Object.fromEntries(members)}} : {}),
    ...(items ? {items: replaced(items, by)} : {}),
  }
}
