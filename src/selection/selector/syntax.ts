/** Every operator; the two that begin with `!` are the opposites of `=` and `~`. */
export const operators = ['=', '!=', '<', '>', '<=', '>=', '~', '!~'] as const
export type Operator = (typeof operators)[number]

/** A piece of the selector's text, with the place its first character stands at. */
export interface Piece<Text extends string = string> {
  readonly text: Text
  readonly position: number
}

/** A value. `escapes` are the places in `text` in front of which the quoted form had a backslash more. */
export interface Value extends Piece {
  readonly escapes: readonly number[]
}

/** `name~^test-`. Whether the field exists and takes the operator and the value is decided later. */
export interface Comparison {
  readonly kind: 'comparison'
  readonly field: Piece
  readonly operator: Piece<Operator>
  readonly value: Value
}

interface Negation {
  readonly kind: 'not'
  readonly term: Expression
}

/** Two or more terms, all of which (`and`) or one of which (`or`) must hold. */
interface Junction {
  readonly kind: 'and' | 'or'
  readonly terms: readonly Expression[]
}

/** A selector as it was written, before anything in it has a meaning. */
export type Expression = Comparison | Negation | Junction
