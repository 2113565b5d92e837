import type {compile} from '@jmespath-community/jmespath'

type ExpressionNode = ReturnType<typeof compile>

export type FunctionNode = Extract<ExpressionNode, {type: 'Function'}>

/**
 * The tokens of JMESPath as jmespath.org defines it. The library takes more, and reads one `=` as the binding of a
 * variable: a filter with it would keep everything.
 */
const tokens =
  /[ \t\r\n]+|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|-?\d+|@|[A-Za-z_]\w*|\[\?|\|\||&&|[=!<>]=|[.,:|<>[\](){}*&!]/suy

/** The fewest and most arguments of each function. */
const functions: Readonly<Record<string, readonly [number, number]>> = {
  ...arity(1, ['abs', 'avg', 'ceil', 'floor', 'keys', 'length', 'max', 'min', 'reverse', 'sort', 'sum']),
  ...arity(1, ['to_array', 'to_number', 'to_string', 'type', 'values']),
  ...arity(2, ['contains', 'ends_with', 'join', 'map', 'max_by', 'min_by', 'sort_by', 'starts_with']),
  merge: [1, Number.POSITIVE_INFINITY],
  not_null: [1, Number.POSITIVE_INFINITY],
}

function arity(count: number, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, [count, count] as const]))
}

/** What an expression lacks to be JMESPath, in words for a sentence. */
export class QueryError extends Error {}

/**
 * The expression with its raw strings as JSON literals, whose backslashes the library leaves alone. Throws QueryError at
 * what the grammar does not have and the library takes: other tokens, two values side by side, a comma before the end.
 */
export function standardQuery(expression: string): string {
  const list = tokensOf(expression)
  let previous = ''
  for (const token of list.filter((token) => token.trim() !== '')) {
    if (!mayFollow(token, previous)) throw new QueryError(unreadable)
    previous = token
  }
  return list.map((token) => (token.startsWith("'") ? literalOf(token) : token)).join('')
}

function tokensOf(expression: string): string[] {
  const list: string[] = []
  for (let from = 0; from < expression.length; ) {
    tokens.lastIndex = from
    const token = tokens.exec(expression)?.[0]
    if (token === undefined) throw new QueryError(expression[from] === '=' ? singleEquals : unreadable)
    list.push(token)
    from += token.length
  }
  return list
}

const singleEquals = 'one = compares nothing: write =='
export const unreadable = 'it is not JMESPath; a quote, a bracket or a name may be missing'

function mayFollow(token: string, previous: string): boolean {
  if (previous === ',' && /^[\])}]$/u.test(token)) return false
  return !(beginsValue(token) && endsValue(previous))
}

function beginsValue(token: string): boolean {
  return /^(?:[\w'"`@]|-\d|[*{!&]$)/u.test(token)
}

function endsValue(token: string): boolean {
  return /[\w\])}@*'"`]$/u.test(token)
}

/** `\'` is a quote; every other backslash is itself. */
function literalOf(raw: string): string {
  const json = JSON.stringify(raw.slice(1, -1).replaceAll("\\'", "'"))
  return `\`${json.replaceAll(/\\\\|`/gu, (escaped) => (escaped === '`' ? '\\u0060' : '\\u005c'))}\``
}

/** The calls of functions. Throws QueryError for one that does not exist, or has too few or too many arguments. */
export function checkFunctions(root: ExpressionNode): FunctionNode[] {
  const waiting: unknown[] = [root]
  const calls: FunctionNode[] = []
  while (waiting.length > 0) {
    const node = waiting.pop() as ExpressionNode | null
    // The value of a literal is no part of the expression.
    if (node === null || node.type === 'Literal') continue
    if (node.type === 'Function') {
      checkFunction(node.name, node.children.length)
      calls.push(node)
    }
    waiting.push(
      ...Object.values(node)
        .flat()
        .filter((member) => typeof member === 'object'),
    )
  }
  return calls
}

/** Whether its value is the same for every result. */
export function isConstant(node: ExpressionNode): boolean {
  if (node.type === 'Function' || node.type === 'MultiSelectList') return node.children.every(isConstant)
  return node.type === 'Literal' || node.type === 'ExpressionReference'
}

function checkFunction(name: string, count: number): void {
  const bounds = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (bounds === undefined) throw new QueryError(`there is no function ${name}()`)
  if (count < bounds[0] || count > bounds[1]) {
    throw new QueryError(`there are too few or too many arguments for ${name}()`)
  }
}
