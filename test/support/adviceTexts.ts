import {readdirSync} from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import {readText, root} from './repository.js'

/** A text of the sources that a person is advised with. */
export interface AdviceText {
  readonly file: string
  /** With `X` for filled-in values. */
  readonly said: string
  /** Whether it has a command line. */
  readonly namesCommand: boolean
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
const adviceNames = /^(?:try|advice|ifUnknown)$/u
/** A command line at the beginning, or after a colon or another one. */
const topics = readdirSync(path.join(root, 'src/commands')).map((name) => path.basename(name, '.ts'))
const namesCommand = new RegExp(`(?:^|[:;] |&& |or: |\\bor )roomctl (?:${topics.join('|')}|help|--help)\\b`, 'u')

/** Every advice that the sources write out: members called so, and each text with a command line. */
export function adviceTexts(): readonly AdviceText[] {
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name}`)
  return files.filter((file) => !isHelp.test(file)).flatMap((file) => textsOf(file))
}

function textsOf(file: string): AdviceText[] {
  const source = readText(file)
  if (!/roomctl |\b(?:try|advice|ifUnknown)\b/u.test(source)) return []
  const found: AdviceText[] = []
  const visit = (node: ts.Node, isAdvice: boolean): void => {
    const name = nameOf(node)
    if (name !== undefined && helpProperties.has(name)) return
    const within = name === undefined ? isAdvice : adviceNames.test(name)
    const text = textOf(node)
    const isCommand = text !== undefined && namesCommand.test(text)
    if (text !== undefined && (isCommand || (within && text.includes(' ')))) {
      found.push({file, said: text, namesCommand: isCommand})
    } else {
      ts.forEachChild(node, (child) => visit(child, within))
    }
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), false)
  return found
}

function nameOf(node: ts.Node): string | undefined {
  const isNamed = ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)
  return isNamed ? node.name.getText() : undefined
}

function textOf(node: ts.Node): string | undefined {
  const text = ts.isStringLiteralLike(node)
    ? node.text
    : ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({literal}) => literal.text)].join('X')
      : undefined
  return text?.replaceAll(/\{\w+\}/gu, 'X')
}
