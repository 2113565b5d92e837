import {type Failure, wrongUsage} from '../../failure.js'
import {quotedText} from '../quotedText.js'
import type {Comparison, Expression, SelectorPiece, Token} from './syntax.js'

const deepest = 50

/**
 * Reads tokens as an expression. `not` binds tightest, then `and`, then `or`; keywords and fields in any case.
 *
 *     selector    = disjunction ;
 *     disjunction = conjunction, { "or", conjunction } ;
 *     conjunction = condition, { "and", condition } ;
 *     condition   = "not", condition | "(", disjunction, ")" | comparison ;
 *     comparison  = field, operator, value ;
 *     field       = "status" | "name" | "id" | "creator" | "age" | "start" | "end"
 *                 | "present" | "public" | "joinable" | "max" | their names in JSON ;
 *     operator    = "=" | "!=" | "<" | ">" | "<=" | ">=" | "~" | "!~" | "~~" | "!~~" ;
 *     value       = bare | quoted ;
 *     bare        = character - ( space | "(" | ")" ), { the same } ;
 *     quoted      = "'", { character - ( "'" | "\" ) | escape }, "'"
 *                 | '"', { character - ( '"' | "\" ) | escape }, '"' ;
 *     escape      = "\", character ;
 *
 * Parentheses and `not` may be nested 50 deep. Throws Failure (usage) with its position.
 */
export function parseExpression(tokens: readonly Token[]): Expression {
  return new Parser(tokens).whole()
}

class Parser {
  #index = 0
  #depth = 0

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Expression {
    const start = this.#next()
    if (start.kind === 'end') {
      throw wrongUsage('the selector is empty', {position: start.position, why: 'for example status=MEETING'})
    }
    const expression = this.#junction('or')
    const rest = this.#next()
    if (rest.kind !== 'end') throw leftOver(rest)
    return expression
  }

  #junction(keyword: 'and' | 'or'): Expression {
    const term = () => (keyword === 'or' ? this.#junction('and') : this.#condition())
    const first = term()
    const terms = [first]
    while (isKeyword(this.#next(), keyword)) {
      this.#index++
      terms.push(term())
    }
    return terms.length === 1 ? first : {kind: keyword, terms}
  }

  #condition(): Expression {
    const token = this.#next()
    if (isKeyword(token, 'not')) return this.#nested(token, () => ({kind: 'not', term: this.#condition()}))
    if (token.kind === 'open') return this.#nested(token, () => this.#closed(token))
    return this.#comparison()
  }

  #nested(token: Token, read: () => Expression): Expression {
    if (this.#depth === deepest) {
      throw wrongUsage(`the selector is nested more than ${deepest} deep`, {position: token.position})
    }
    this.#depth++
    this.#index++
    const expression = read()
    this.#depth--
    return expression
  }

  #closed(open: Token): Expression {
    const inner = this.#junction('or')
    const token = this.#next()
    if (token.kind === 'end') throw wrongUsage('this parenthesis is never closed', {position: open.position})
    if (token.kind !== 'close') throw leftOver(token)
    this.#index++
    return inner
  }

  #comparison(): Comparison {
    const field = this.#next()
    if (field.kind !== 'word' || isKeyword(field, 'and') || isKeyword(field, 'or')) throw noCondition(field)
    this.#index++
    const operator = this.#next()
    if (operator.kind !== 'operator') {
      throw wrongUsage(`an operator is missing after ${quotedText(field.text)}`, {
        position: operator.position,
        why: 'a condition is a field, an operator and a value, as status=MEETING or public=yes',
      })
    }
    this.#index++
    const value = this.#next()
    // The lexer allows only a value after an operator.
    if (value.kind !== 'value') throw noCondition(value)
    this.#index++
    return {
      kind: 'comparison',
      field: piece(field),
      operator: piece(operator),
      value: {...piece(value), escapes: value.escapes},
    }
  }

  #next(): Token {
    // The token `end` is last and nothing moves past it, so the index never leaves the list.
    return this.tokens[this.#index] ?? {kind: 'end', text: '', position: 0, end: 0}
  }
}

function piece<Text extends string>({text, position}: SelectorPiece<Text>): SelectorPiece<Text> {
  return {text, position}
}

function isKeyword(token: Token, keyword: 'and' | 'or' | 'not'): boolean {
  return token.kind === 'word' && token.text.toLowerCase() === keyword
}

function noCondition(token: Token): Failure {
  const found = token.kind === 'end' ? 'the end of the selector' : quotedText(token.text)
  return wrongUsage(`a condition is missing before ${found}`, {
    position: token.position,
    why: 'a condition is a field, an operator and a value, as status=MEETING',
  })
}

function leftOver(token: Token): Failure {
  if (token.kind === 'close') return wrongUsage('this parenthesis closes nothing', {position: token.position})
  return wrongUsage(`"and" or "or" is missing before ${quotedText(token.text)}`, {
    position: token.position,
    why: 'a value with spaces needs quotes',
  })
}
