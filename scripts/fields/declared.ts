import path from 'node:path'
import ts from 'typescript'

/** An object type that the source declares: of each member whether it can be missing, and its closed set of values, none where it is open. */
export type DeclaredObject = ReadonlyMap<string, {readonly optional: boolean; readonly values: readonly string[]}>

/** The object types that the source declares: rows, answers and what they are made of. */
export function declaredObjects(root: string): DeclaredObject[] {
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
  return declared.filter(({size}) => size > 1)
}

/** A union of objects is read as one: its members are those of all. */
function membersOf(checker: ts.TypeChecker, type: ts.Type, at: ts.Node): DeclaredObject {
  const objects = partsOf(type).filter(({flags}) => flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
  const all = objects.map((one) => new Map(checker.getPropertiesOfType(one).map((member) => [member.name, member])))
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
