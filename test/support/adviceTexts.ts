import {readdirSync} from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import {shellWord} from '../../src/advice.js'
import {readText, root} from './repository.js'

/** What the sources advise a person with. */
export interface AdviceText {
  readonly file: string
  /** As it is shown, with `X` for filled-in values. */
  readonly said: string
  /** Whether it has a command line. */
  readonly namesCommand: boolean
  /** Whether the command line is data (src/advice.ts), and not written out in a text. */
  readonly isData: boolean
  /** Whether it is the advice of a failure, and not a note. */
  readonly isAdvice: boolean
}

/** Texts of these files and properties are help, scripts and completions. */
const isHelp = /^src\/(?:cli\/help\/|cli\/app\/help\.ts|features\/completion\/scripts\.ts)/u
const helpProperties: ReadonlySet<string> = new Set([
  'examples',
  'description',
  'summary',
  'title',
  'empty',
  'document',
  'first',
  'noSandboxRooms',
])
/** Properties and variables that hold advice, also without a command. */
const adviceNames = /^(?:try|advice|ifUnknown|fix)$/u
/** A command line at the beginning, or after a colon or another one. */
const topics = readdirSync(path.join(root, 'src/commands')).map((name) => path.basename(name, '.ts'))
const namesCommand = new RegExp(`(?:^|[:;] |&& |or: |\\bor )roomctl (?:${topics.join('|')}|help|--help)\\b`, 'u')

const sources = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
/** Whether a command has this name: `config profile use`. */
const isNamed = (name: string) => sources.includes(`commands/${name.replaceAll(' ', '/')}.ts`)

/** Every advice that the sources write out: members called so, and each text with a command line. */
export const adviceTexts: readonly AdviceText[] = sources
  .filter((name) => name.endsWith('.ts') && !isHelp.test(`src/${name}`))
  .flatMap((name) => textsOf(`src/${name}`))

function textsOf(file: string): AdviceText[] {
  const source = readText(file)
  if (!/roomctl |\b(?:try|advice|ifUnknown|command)\b/u.test(source)) return []
  const found: AdviceText[] = []
  const visit = (node: ts.Node, parent: ts.Node, isAdvice: boolean): void => {
    const name = nameOf(node)
    if (name !== undefined && helpProperties.has(name)) return
    const within = name === undefined ? isAdvice : adviceNames.test(name)
    const text = adviceIn(node, parent, within)
    if (text) found.push({file, ...text})
    else ts.forEachChild(node, (child) => visit(child, node, within))
  }
  const all = ts.createSourceFile(file, source, ts.ScriptTarget.Latest)
  visit(all, all, false)
  return found
}

function adviceIn(node: ts.Node, parent: ts.Node, isAdvice: boolean): Omit<AdviceText, 'file'> | undefined {
  const line = lineOf(node, parent)
  if (line !== undefined) return {said: line, namesCommand: true, isData: true, isAdvice: true}
  const said = textOf(node)
  if (said === undefined) return undefined
  const isCommand = namesCommand.test(said)
  const isMeant = isCommand || (isAdvice && said.includes(' '))
  return isMeant ? {said, namesCommand: isCommand, isData: false, isAdvice} : undefined
}

function nameOf(node: ts.Node): string | undefined {
  const isNamed = ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)
  return isNamed ? (ts.isIdentifier(node.name) ? node.name.text : '') : undefined
}

/** A command line that is data: `{sentence, command: [name, ...args]}`, or such a list alone. */
function lineOf(node: ts.Node, parent: ts.Node): string | undefined {
  if (!ts.isArrayLiteralExpression(node)) return undefined
  const name = nameOf(parent)
  const isLine = name === 'command' || name === 'next' || ts.isAsExpression(parent) || ts.isReturnStatement(parent)
  const [first, ...args] = node.elements
  if (!isLine || first === undefined || !ts.isStringLiteralLike(first) || !isNamed(first.text)) return undefined
  // What is spread may be anything, such as flags.
  const words = args.filter((arg) => !ts.isSpreadElement(arg)).map((arg) => shellWord(textOf(arg) ?? 'X'))
  return ['roomctl', first.text, ...words].join(' ')
}

function textOf(node: ts.Node): string | undefined {
  const text = ts.isStringLiteralLike(node)
    ? node.text
    : ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({literal}) => literal.text)].join('X')
      : undefined
  return text?.replaceAll(/\{\w+\}/gu, 'X')
}
