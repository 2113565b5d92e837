import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** A top-level statement with the names that it declares and refers to. */
interface Statement {
  readonly file: string
  readonly declared: readonly string[]
  readonly referred: ReadonlySet<string>
  /** Members of a namespace: `name.member`. */
  readonly members: ReadonlySet<string>
  /** What `import()` loads. */
  readonly loaded: readonly string[]
  readonly lines: number
}

interface Module {
  readonly statements: readonly Statement[]
  readonly byName: ReadonlyMap<string, readonly Statement[]>
  /** The file and exported name of each imported name; `*` is the whole file. */
  readonly imports: ReadonlyMap<string, readonly [file: string, name: string]>
}

type Modules = ReadonlyMap<string, Module>

/** Loaded by the build, not by a command. */
const roots = ['main.ts', 'cli/runtime/cross-spawn.d.ts', 'cli/app/help.ts']

/** The lines of src that only one command reaches, by its name: `room end`. Imports are not counted. */
export function commandPrices(root: string): ReadonlyMap<string, number> {
  const source = path.join(root, 'src')
  const files = readdirSync(source, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(source, file))
  const modules: Modules = new Map(files.map((file) => [file, readModule(file)]))
  const commands = files.filter((file) => file.startsWith(path.join(source, 'commands')))
  const others = roots.map((file) => path.join(source, file)).filter((file) => modules.has(file))
  const all = reachedLines(modules, [...others, ...commands])
  return new Map(
    commands.map((command) => {
      const name = path.relative(path.join(source, 'commands'), command).replace(/\.ts$/u, '').replaceAll(path.sep, ' ')
      const without = commands.filter((other) => other !== command)
      return [name, all - reachedLines(modules, [...others, ...without])]
    }),
  )
}

/** The ceilings of commandPrices, by command. */
export const pricesFile = 'scripts/prices.json'

/** Prints the price of each command beside its ceiling; `write` sets every ceiling to the price. */
export function showPrices(root: string, {write}: {readonly write: boolean}): void {
  const prices = [...commandPrices(root)].sort(([, one], [, other]) => other - one)
  const file = path.join(root, pricesFile)
  if (write) {
    const sorted = Object.fromEntries([...prices].sort(([one], [other]) => (one < other ? -1 : 1)))
    writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
  }
  const ceilings: Readonly<Record<string, number>> = JSON.parse(readFileSync(file, 'utf8'))
  for (const [command, lines] of prices) {
    console.log(`${String(lines).padStart(6)}  of ${String(ceilings[command] ?? 'none').padStart(4)}  ${command}`)
  }
}

function readModule(file: string): Module {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const imports = new Map<string, readonly [string, string]>()
  const statements: Statement[] = []
  for (const node of source.statements) {
    if (ts.isImportDeclaration(node)) noteImports(node, file, imports)
    else statements.push(readStatement(node, source))
  }
  const byName = new Map<string, Statement[]>()
  for (const statement of statements) {
    for (const name of statement.declared) byName.set(name, [...(byName.get(name) ?? []), statement])
  }
  return {statements, byName, imports}
}

function noteImports(
  {moduleSpecifier, importClause}: ts.ImportDeclaration,
  file: string,
  imports: Map<string, readonly [string, string]>,
): void {
  const target = ts.isStringLiteral(moduleSpecifier) ? ownFile(file, moduleSpecifier.text) : undefined
  if (target === undefined || importClause === undefined) return
  const {name, namedBindings: bindings} = importClause
  if (name) imports.set(name.text, [target, 'default'])
  if (bindings && ts.isNamespaceImport(bindings)) imports.set(bindings.name.text, [target, '*'])
  if (bindings && ts.isNamedImports(bindings)) {
    for (const element of bindings.elements) {
      imports.set(element.name.text, [target, (element.propertyName ?? element.name).text])
    }
  }
}

/** The file of src that a specifier means; undefined for a package. */
function ownFile(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const file = path.resolve(path.dirname(from), specifier).replace(/\.js$/u, '.ts')
  return existsSync(file) ? file : undefined
}

function readStatement(node: ts.Statement, source: ts.SourceFile): Statement {
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const referred = new Set<string>()
  const members = new Set<string>()
  const loaded: string[] = []
  const visit = (part: ts.Node): void => {
    if (ts.isIdentifier(part)) referred.add(part.text)
    if (ts.isPropertyAccessExpression(part) && ts.isIdentifier(part.expression)) {
      members.add(`${part.expression.text}.${part.name.text}`)
    }
    if (ts.isQualifiedName(part) && ts.isIdentifier(part.left)) members.add(`${part.left.text}.${part.right.text}`)
    const specifier = loadedBy(part)
    if (specifier !== undefined) loaded.push(specifier)
    ts.forEachChild(part, visit)
  }
  visit(node)
  return {
    file: source.fileName,
    declared: declaredNames(node),
    ...{referred, members, loaded},
    lines: line(node.getEnd()) - line(node.getFullStart()) + 1,
  }
}

function loadedBy(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments
    return specifier && ts.isStringLiteral(specifier) ? specifier.text : undefined
  }
  const isType = ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
  return isType && ts.isStringLiteral(node.argument.literal) ? node.argument.literal.text : undefined
}

function declaredNames(node: ts.Statement): string[] {
  const isDefault =
    ts.isExportAssignment(node) ||
    (ts.canHaveModifiers(node) && node.modifiers?.some(({kind}) => kind === ts.SyntaxKind.DefaultKeyword))
  const named = node as ts.Statement & {readonly name?: ts.Node}
  const own = named.name && ts.isIdentifier(named.name) ? [named.name.text] : []
  const variables = ts.isVariableStatement(node)
    ? node.declarationList.declarations.flatMap(({name}) => boundNames(name))
    : []
  return [...own, ...variables, ...(isDefault ? ['default'] : [])]
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))
}

/** Every command is left out once, and the targets stay the same. */
const knownTargets = new WeakMap<Statement, [file: string, name: string][]>()

/** The lines of the statements that the files reach (mark and sweep). A statement without a name is reached with its file. */
function reachedLines(modules: Modules, from: readonly string[]): number {
  const reached = new Set<Statement>()
  const open: Statement[] = []
  const files = new Set<string>()
  const reach = (statement: Statement): void => {
    if (reached.has(statement)) return
    reached.add(statement)
    open.push(statement)
    if (files.has(statement.file)) return
    files.add(statement.file)
    for (const other of modules.get(statement.file)?.statements ?? []) if (other.declared.length === 0) reach(other)
  }
  const reachName = (file: string, name: string): void => {
    const found = modules.get(file)
    for (const statement of (name === '*' ? found?.statements : found?.byName.get(name)) ?? []) reach(statement)
  }
  for (const file of from) reachName(file, '*')
  for (let statement = open.pop(); statement !== undefined; statement = open.pop()) {
    const targets = knownTargets.get(statement) ?? targetsOf(statement, modules)
    knownTargets.set(statement, targets)
    for (const [file, name] of targets) reachName(file, name)
  }
  return [...reached].reduce((sum, {lines}) => sum + lines, 0)
}

/** What a statement refers to, in its own file, in those that it imports, and in those that it loads. */
function targetsOf({file, referred, members, loaded}: Statement, modules: Modules): [string, string][] {
  const imports = modules.get(file)?.imports
  const named = [...referred].flatMap((name): [string, string][] => {
    const [target, exported] = imports?.get(name) ?? []
    if (target === undefined || exported === undefined) return [[file, name]]
    if (exported !== '*') return [[target, exported]]
    const used = [...members].filter((member) => member.startsWith(`${name}.`))
    return used.map((member) => [target, member.slice(name.length + 1)])
  })
  const later = loaded.flatMap((specifier) => {
    const target = ownFile(file, specifier)
    return target === undefined ? [] : [...referred].map((name): [string, string] => [target, name])
  })
  const isDeclared = ([target, name]: [string, string]) => name === '*' || modules.get(target)?.byName.has(name)
  return [...named, ...later].filter(isDeclared)
}
