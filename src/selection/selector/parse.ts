import {type Failure, wrongUsage} from '../../failure.js'
import {quotedText} from '../quotedText.js'
import {type Comparison, junction, type Part} from './comparison.js'
import {type SelectorOperator, selectorOperators} from './field.js'

const deepest = 50

/**
 * Reads a selector. `not` binds tightest, then `and`, then `or`; keywords and fields in any case.
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
 * Inside quotes `\'`, `\"` and `\\` stand for the second character; any other backslash stays, so that regular expressions need no
 * doubling. Parentheses and `not` may be nested 50 deep. `test` makes the test of a comparison. Throws Failure (usage) for the first
 * mistake, with its position.
 */
export function parseSelectorText(text: string, test: (comparison: Comparison) => Promise<Part>): Promise<Part> {
  return new Parser(text, test).whole()
}

const space = /\s*/uy
const operatorRun = /[=!<>~]+/uy
const word = /[\p{L}_][\p{L}\p{N}_.-]*/uy
const parenthesis = /[()]/uy
const bareValue = /[^\s()]+/uy
const quotedValue = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/suy

class Parser {
  #at = 0
  #depth = 0

  constructor(
    private readonly text: string,
    private readonly test: (comparison: Comparison) => Promise<Part>,
  ) {
    this.#skip(0)
  }

  async whole(): Promise<Part> {
    if (this.#isAtEnd) throw this.#wrong('the selector is empty', 'for example status=MEETING')
    const part = await this.#junction('or')
    if (!this.#isAtEnd) throw this.#leftOver()
    return part
  }

  async #junction(keyword: 'and' | 'or'): Promise<Part> {
    const term = () => (keyword === 'or' ? this.#junction('and') : this.#condition())
    const parts = [await term()]
    while (this.#takes(keyword)) parts.push(await term())
    return junction(parts, keyword === 'or')
  }

  async #condition(): Promise<Part> {
    const position = this.#at
    if (this.#takes('not')) {
      const part = await this.#nested(position, () => this.#condition())
      return (...asked) => {
        const answer = part(...asked)
        return answer === undefined ? undefined : !answer
      }
    }
    if (this.text[position] !== '(') return this.test(this.#comparison())
    this.#skip(1)
    return this.#nested(position, () => this.#closed(position))
  }

  async #nested(position: number, read: () => Promise<Part>): Promise<Part> {
    if (this.#depth === deepest) throw wrongUsage(`the selector is nested more than ${deepest} deep`, {position})
    this.#depth++
    const part = await read()
    this.#depth--
    return part
  }

  async #closed(position: number): Promise<Part> {
    const inner = await this.#junction('or')
    if (this.#isAtEnd) throw wrongUsage('this parenthesis is never closed', {position})
    if (this.text[this.#at] !== ')') throw this.#leftOver()
    this.#skip(1)
    return inner
  }

  #comparison(): Comparison {
    const field = {text: this.#find(word) ?? '', position: this.#at}
    if (field.text === '' || /^(?:and|or)$/iu.test(field.text)) {
      const why = 'a condition is a field, an operator and a value, as status=MEETING'
      throw this.#wrong(`a condition is missing before ${this.#here()}`, why)
    }
    this.#skip(field.text.length)
    const operator = {text: this.#operator(), position: this.#at}
    if (operator.text === undefined) {
      // A character that no selector has is the greater mistake.
      this.#here()
      const why = 'a condition is a field, an operator and a value, as status=MEETING or public=yes'
      throw this.#wrong(`an operator is missing after ${quotedText(field.text)}`, why)
    }
    this.#skip(operator.text.length)
    return {field, operator: {...operator, text: operator.text}, value: this.#value(operator.text)}
  }

  #operator(): SelectorOperator | undefined {
    const run = this.#find(operatorRun)
    const operator = selectorOperators.find((known) => known === run)
    if (run === undefined || operator !== undefined) return operator
    const hint = Object.hasOwn(meant, run) ? `write ${meant[run]}` : `the operators are ${selectorOperators.join(' ')}`
    const why = run === '!' ? 'put not before the condition' : `${hint}; a value that begins with one needs quotes`
    throw this.#wrong(`unknown operator ${run}`, why)
  }

  #value(operator: string): Comparison['value'] {
    const isQuoted = /['"]/.test(this.text[this.#at] ?? '')
    const found = this.#find(isQuoted ? quotedValue : bareValue)
    if (found === undefined) {
      if (isQuoted) throw this.#wrong('this quote is never closed')
      const why = this.#isAtEnd ? undefined : 'a value that begins with a parenthesis needs quotes'
      throw this.#wrong(`a value is missing after ${operator}`, why)
    }
    const value = isQuoted ? unquoted(found, this.#at + 1) : {text: found, escapes: [], position: this.#at}
    const joint = isQuoted ? -1 : found.search(/&&|\|\|/)
    this.#at += joint < 0 ? found.length : joint
    if (joint >= 0) throw this.#wrong('conditions are joined by and, or', 'a value that contains && or || needs quotes')
    this.#checkApart()
    this.#skip(0)
    return value
  }

  /** `name~^(a|b)` and `name='it's'`: a character next to a value was meant as part of it. */
  #checkApart(): void {
    const character = this.text[this.#at]
    if (character === undefined || /[\s)]/u.test(character)) return
    const why =
      character === '('
        ? 'a value with parentheses needs quotes'
        : String.raw`a quote within quotes is written \' or \"`
    throw this.#wrong('a space is missing after the value, or quotes around it', why)
  }

  get #isAtEnd(): boolean {
    return this.#at === this.text.length
  }

  /** The word, parenthesis or operator at this place. Throws Failure for a character that no selector has. */
  #here(): string {
    if (this.#isAtEnd) return 'the end of the selector'
    const found = this.#find(word) ?? this.#find(parenthesis) ?? this.#operator()
    if (found !== undefined) return quotedText(found)
    const character = String.fromCodePoint(this.text.codePointAt(this.#at) ?? 0)
    const hints: Record<string, string> = {'&': 'write and', '|': 'write or', ',': 'write and, or'}
    const why = hints[character] ?? 'a condition is a field, an operator and a value, as status=MEETING'
    throw this.#wrong(`${quotedText(character)} is not allowed here`, why)
  }

  #leftOver(): Failure {
    if (this.text[this.#at] === ')') return this.#wrong('this parenthesis closes nothing')
    return this.#wrong(`"and" or "or" is missing before ${this.#here()}`, 'a value with spaces needs quotes')
  }

  #takes(keyword: 'and' | 'or' | 'not'): boolean {
    const isHere = this.#find(word)?.toLowerCase() === keyword
    if (isHere) this.#skip(keyword.length)
    return isHere
  }

  #find(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.text)?.[0]
  }

  /** Skips some characters, and white space behind them. */
  #skip(length: number): void {
    this.#at += length
    this.#at += this.#find(space)?.length ?? 0
  }

  #wrong(message: string, why?: string): Failure {
    return wrongUsage(message, {position: this.#at, ...(why && {why})})
  }
}

/** Operators of other languages. */
const meant: Readonly<Record<string, string>> = {
  '==': '=',
  '===': '=',
  '=~': '~',
  '~=': '~',
  '<>': '!=',
  '=<': '<=',
  '=>': '>=',
}

function unquoted(whole: string, position: number): Comparison['value'] {
  const escapes: number[] = []
  const text = whole.slice(1, -1).replace(/\\(['"\\])/g, (_, character: string, place: number) => {
    escapes.push(place - escapes.length)
    return character
  })
  return {text, escapes, position}
}
