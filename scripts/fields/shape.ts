import {Failure, failureJson} from '../../src/failure.js'

/** What JSON values looked like: their types, of objects how many there were and how many had each member, of arrays all elements. */
export interface Shape {
  readonly types: readonly string[]
  readonly objects?: {readonly count: number; readonly members: Readonly<Record<string, Member>>}
  readonly items?: Shape
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
  return {
    types: [...new Set([...one.types, ...other.types])].sort(),
    ...(objects.length > 0 ? {objects: objects.reduce(mergedObjects)} : {}),
    ...(items.length > 0 ? {items: items.reduce(mergedShape)} : {}),
  }
}

function mergedObjects(one: NonNullable<Shape['objects']>, other: NonNullable<Shape['objects']>) {
  const names = [...new Set([...Object.keys(one.members), ...Object.keys(other.members)])].sort()
  const members = names.map((name): [string, Member] => {
    const both = [one.members[name], other.members[name]].filter((some) => some !== undefined)
    return [name, both.reduce((a, b) => ({count: a.count + b.count, shape: mergedShape(a.shape, b.shape)}))]
  })
  return {count: one.count + other.count, members: Object.fromEntries(members)}
}

/** Members that have one form in every answer: what one command shows of it holds for the others. */
const alike = new Set(['error', 'expected', 'findings', 'proof'])
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

/** What a failure can be in JSON: the sandbox says only some of it. */
function everyError(): Shape {
  const least = new Failure({exit: 'bug', message: ''})
  const most = new Failure({...least.facts, why: '', try: '', httpStatus: 500, body: '', registered: ''})
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
    ...(objects ? {objects: {count: objects.count, members: Object.fromEntries(members)}} : {}),
    ...(items ? {items: replaced(items, by)} : {}),
  }
}
