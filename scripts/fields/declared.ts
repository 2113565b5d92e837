import path from 'node:path'
import ts from 'typescript'
import {mergedShape, type Shape} from './shape.js'

/** An object type that the source declares: of each member whether it can be missing, and its closed set of values, none if it is open. */
export type DeclaredObject = ReadonlyMap<string, {readonly optional: boolean; readonly values: readonly string[]}>

export interface DeclaredTypes {
  /** The object types that the source declares: rows, answers and their parts. */
  readonly objects: readonly DeclaredObject[]
  /** The answers that a view draws, by their declared type; empty if it is no view. `use`: `FILE NAME`. */
  readonly answersOf: (use: string) => readonly Shape[]
}

export function declaredTypes(root: string): DeclaredTypes {
  const {config} = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile)
  const {fileNames, options} = ts.parseJsonConfigFileContent({...config, include: ['src']}, ts.sys, root)
  const program = ts.createProgram(fileNames, options)
  const checker = program.getTypeChecker()
  const declared: DeclaredObject[] = []
  const visit = (node: ts.Node): void => {
    const isSpread = ts.isObjectLiteralExpression(node) && node.properties.some(ts.isSpreadAssignment)
    if (isSpread || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isTypeLiteralNode(node)) {
      declared.push(membersOf(checker, checker.getTypeAtLocation(node), node))
    }
    ts.forEachChild(node, visit)
  }
  for (const name of fileNames) ts.forEachChild(program.getSourceFile(name) as ts.Node, visit)
  const answersOf = (use: string): readonly Shape[] => {
    const [file = '', name] = use.split(' ')
    const source = program.getSourceFile(path.join(root, file))
    const module = source && checker.getSymbolAtLocation(source)
    const found = module && checker.getExportsOfModule(module).find((one) => one.name === name)
    return found ? viewed(checker, checker.getTypeOfSymbol(found)) : []
  }
  return {objects: declared.filter(({size}) => size > 1), answersOf}
}

/** The data of a view, or of the view that a function returns: a list of rows, or one value. */
function viewed(checker: ts.TypeChecker, type: ts.Type): Shape[] {
  const [signature] = type.getCallSignatures()
  return partsOf(signature?.getReturnType() ?? type).flatMap((view) => {
    const {name} = view.symbol ?? {}
    if (name !== 'ListView' && name !== 'CardView') return []
    const [row] = checker.getTypeArguments(view as ts.TypeReference)
    if (row === undefined) return []
    const shape = declaredShape(checker, row)
    return name === 'ListView' ? [{types: ['array'], items: shape}] : [shape]
  })
}

/** Levels of objects in an answer; a type may contain itself. */
const mostLevels = 6

const plainTypes = [
  [ts.TypeFlags.Null, 'null'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  // Whether it is whole is seen.
  [ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike, 'numeric'],
] as const

/** The shape of a declared type, as if one value of it was seen that has each optional member and lacks it. */
function declaredShape(checker: ts.TypeChecker, type: ts.Type, level = 0): Shape {
  if (type.isUnion()) return type.types.map((one) => declaredShape(checker, one, level)).reduce(mergedShape)
  const {flags} = type
  if (flags & ts.TypeFlags.StringLike) return {types: ['string'], texts: type.isStringLiteral() ? [type.value] : []}
  const [, plain] = plainTypes.find(([flag]) => flags & flag) ?? []
  if (plain !== undefined) return {types: [plain]}
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const items = checker.getTypeArguments(type as ts.TypeReference).map((one) => declaredShape(checker, one, level))
    return {types: ['array'], ...(items.length > 0 ? {items: items.reduce(mergedShape)} : {})}
  }
  const isObject = (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
  if (isObject) return declaredObject(checker, type, level)
  return {types: flags & ts.TypeFlags.Undefined ? [] : ['any']}
}

function declaredObject(checker: ts.TypeChecker, type: ts.Type, level: number): Shape {
  const members = level < mostLevels ? propertiesOf(checker, type) : []
  if (members.length === 0) return {types: ['object']}
  const shapes = members.map((member): [string, {count: number; shape: Shape}] => {
    const count = member.flags & ts.SymbolFlags.Optional ? 0 : 1
    return [member.name, {count, shape: declaredShape(checker, checker.getTypeOfSymbol(member), level + 1)}]
  })
  const isOwn = checker.getIndexInfosOfType(type).length === 0
  return {types: ['object'], objects: {count: 1, members: Object.fromEntries(shapes), isOwn}}
}

/** But symbols, which no format shows. */
function propertiesOf(checker: ts.TypeChecker, type: ts.Type): ts.Symbol[] {
  return checker.getPropertiesOfType(type).filter(({escapedName}) => !escapedName.toString().startsWith('__@'))
}

/** A union of objects is read as one with the members of all. */
function membersOf(checker: ts.TypeChecker, type: ts.Type, at: ts.Node): DeclaredObject {
  const objects = partsOf(type).filter(({flags}) => flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
  const all = objects.map((one) => new Map(propertiesOf(checker, one).map((member) => [member.name, member])))
  return new Map(
    [...new Set(all.flatMap((members) => [...members.keys()]))].map((name) => {
      const members = all.map((one) => one.get(name))
      const sets = members.map((one) => one && valuesOf(checker, checker.getTypeOfSymbolAtLocation(one, at)))
      const optional = members.some((one) => one === undefined || (one.flags & ts.SymbolFlags.Optional) !== 0)
      return [name, {optional, values: sets.some((one) => one?.length === 0) ? [] : sets.flatMap((one) => one ?? [])}]
    }),
  )
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type]
}

/** The closed set of a type, or of the elements of an array. */
function valuesOf(checker: ts.TypeChecker, type: ts.Type): string[] {
  const parts = partsOf(type).filter(({flags}) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)))
  const [first, ...others] = parts
  if (first && others.length === 0 && checker.isArrayType(first)) {
    return checker.getTypeArguments(first as ts.TypeReference).flatMap((element) => valuesOf(checker, element))
  }
  return parts.every((one) => one.isStringLiteral()) ? parts.map((one) => one.value) : []
}
