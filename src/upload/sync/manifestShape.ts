import {type Manifest, manifest, manifestFileMembers, manifestMembers} from '../../api/contract/manifest.js'
import type {MemberPath, Problem} from './manifestText.js'

type Issue = NonNullable<ReturnType<typeof manifest.safeParse>['error']>['issues'][number]

/** Whether a value has the shape of a manifest, and where it has not. */
export function readShape(
  value: unknown,
): {readonly manifest: Manifest} | {readonly problems: readonly [Problem, ...Problem[]]} {
  const result = manifest.safeParse(value)
  if (result.success) return {manifest: result.data}
  const [first, ...rest] = result.error.issues.flatMap((issue) => problemsOf(issue, value))
  return {problems: [first ?? {at: [], text: 'it is no manifest'}, ...rest]}
}

function problemsOf(issue: Issue, value: unknown): Problem[] {
  // A path into parsed YAML or JSON holds names and positions only.
  const at = issue.path as MemberPath
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({at: [...at, key], text: unknownMember(at)}))
  const found = memberAt(value, at)
  if (found === undefined) return [{at, text: `it is missing; ${expectation(issue, at)}`}]
  return [{at, text: expectation(issue, at)}]
}

function unknownMember(at: MemberPath): string {
  const members = at.length === 0 ? manifestMembers : manifestFileMembers
  return `this is not a member of ${at.length === 0 ? 'a manifest' : 'a file'}; there are ${listed(members, 'and')}`
}

/** What a member must be, in words. */
function expectation(issue: Issue, at: MemberPath): string {
  if (issue.code === 'invalid_value') return `it must be ${listed(issue.values.map(String), 'or')}`
  if (issue.code === 'invalid_type') return `it must be ${kinds[issue.expected] ?? issue.expected}`
  if (issue.code === 'too_small') return 'it must not be empty'
  return at.at(-1) === 'sha256' ? 'it must be 64 hex digits' : 'it must be one line of text, without control characters'
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text; what looks like a number or a word such as true stands in quotes',
  array: 'a list',
  object: 'a mapping of members',
}

function memberAt(value: unknown, at: MemberPath): unknown {
  return at.reduce<unknown>(
    (around, name) => (typeof around === 'object' && around !== null ? Reflect.get(around, name) : undefined),
    value,
  )
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  return words.join(', ').replace(/, ([^,]*)$/u, ` ${last} $1`)
}
