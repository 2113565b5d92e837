import fc from 'fast-check'

/** A condition as the tests think of it: `value` has its type, not its spelling. Times and durations are milliseconds. */
export type Condition =
  | {field: 'name' | 'id' | 'creator'; operator: '=' | '!='; value: string}
  | {field: 'name' | 'id' | 'creator' | 'status'; operator: '~' | '!~'; value: string}
  | {field: 'status'; operator: '=' | '!='; value: string}
  | {field: 'public' | 'joinable'; operator: '=' | '!='; value: boolean}
  | {field: 'age'; operator: '<' | '>' | '<=' | '>='; value: number}
  | {field: 'start' | 'end' | 'present' | 'max'; operator: '=' | '!=' | '<' | '>' | '<=' | '>='; value: number}

/** An expression of the tests, without any place in a text. */
export type Tree =
  | {kind: 'condition'; condition: Condition}
  | {kind: 'not'; term: Tree}
  | {kind: 'and' | 'or'; terms: Tree[]}

export const statuses = ['RESERVED', 'MEETING', 'IDLE', 'ENDED'] as const
export const noon = Date.UTC(2026, 11, 1, 12)
const hour = 3_600_000

/** Few enough values that rooms and conditions meet. */
export const texts = fc.constantFrom(
  '',
  'a',
  'ab',
  'b',
  'and',
  '회의',
  'a b',
  `it's`,
  'say "a"',
  'a\\b',
  '\\',
  '(a)',
  '=a',
  '🎉',
)
export const moments = fc.integer({min: -3, max: 3}).map((hours) => noon + hours * hour)
export const counts = fc.integer({min: 0, max: 4})
const patterns = fc.constantFrom('a', '^a', 'b$', '^$', '(a|b)b', '회.', '[^a]', '\\\\', 'E', '\'|"', '\\s')

const equal = fc.constantFrom('=' as const, '!=' as const)
const ordered = fc.constantFrom('=' as const, '!=' as const, '<' as const, '>' as const, '<=' as const, '>=' as const)
const named = fc.constantFrom('name' as const, 'id' as const, 'creator' as const)

const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({field: named, operator: equal, value: texts}),
  fc.record({
    field: fc.oneof(named, fc.constant('status' as const)),
    operator: fc.constantFrom('~' as const, '!~' as const),
    value: patterns,
  }),
  fc.record({field: fc.constant('status' as const), operator: equal, value: fc.constantFrom(...statuses)}),
  fc.record({field: fc.constantFrom('public' as const, 'joinable' as const), operator: equal, value: fc.boolean()}),
  fc.record({
    field: fc.constant('age' as const),
    operator: fc.constantFrom('<' as const, '>' as const, '<=' as const, '>=' as const),
    value: fc.integer({min: 0, max: 4}).map((hours) => hours * hour),
  }),
  fc.record({field: fc.constantFrom('start' as const, 'end' as const), operator: ordered, value: moments}),
  fc.record({field: fc.constantFrom('present' as const, 'max' as const), operator: ordered, value: counts}),
)

/** Random expressions, at most four deep. */
export const trees: fc.Arbitrary<Tree> = fc.letrec<{tree: Tree}>((tie) => ({
  tree: fc.oneof(
    {maxDepth: 4, depthSize: 'small'},
    fc.record({kind: fc.constant('condition' as const), condition: conditions}),
    fc.record({kind: fc.constant('not' as const), term: tie('tree')}),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      terms: fc.array(tie('tree'), {minLength: 2, maxLength: 3}),
    }),
  ),
})).tree
