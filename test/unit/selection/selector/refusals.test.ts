import {describe, expect, it} from 'vitest'
import {parseSelector} from '../../../../src/selection/selector/selector.js'
import {failureOf} from '../../../support/failures.js'

const refused = (text: string) => failureOf(() => parseSelector(text))

/** `text` has a caret `^^` in front of the character that must be pointed at. */
function marked(text: string): {selector: string; position: number} {
  return {selector: text.replace('^^', ''), position: text.indexOf('^^')}
}

describe('a selector that cannot be read', () => {
  it.each([
    ['^^', 'the selector is empty'],
    ['  ^^', 'the selector is empty'],
    ['^^stauts=MEETING', 'unknown field "stauts"; did you mean status?'],
    ['max=1 and ^^whatever=1', 'unknown field "whatever"'],
    ['^^constructor=1', 'unknown field "constructor"'],
    ['status=^^MEETTING', 'unknown status "MEETTING"; did you mean MEETING?'],
    ['status=^^gone', 'unknown status "gone"'],
    ['status="^^"', 'unknown status ""'],
    ['status^^', 'an operator is missing after "status"'],
    ['public ^^and joinable=yes', 'an operator is missing after "public"'],
    ['status=^^', 'a value is missing after ='],
    ['status= ^^', 'a value is missing after ='],
    ['(status=^^)', 'a value is missing after ='],
    ['name~^^(a|b)', 'a value is missing after ~'],
    ['name~a^^(b)', 'a space is missing after the value, or quotes around it'],
    ['name=my ^^room', '"and" or "or" is missing before "room"'],
    ["name='a'^^b", 'a space is missing after the value, or quotes around it'],
    ['^^and max=1', 'a condition is missing before "and"'],
    ['max=1 and ^^', 'a condition is missing before the end of the selector'],
    ['max=1 and ^^or max=2', 'a condition is missing before "or"'],
    ['not ^^', 'a condition is missing before the end of the selector'],
    ['(^^)', 'a condition is missing before ")"'],
    ['^^=1', 'a condition is missing before "="'],
    ['^^(max=1', 'this parenthesis is never closed'],
    ['(max=1 ^^max=2)', '"and" or "or" is missing before "max"'],
    ['max=1^^)', 'this parenthesis closes nothing'],
    ["name=^^'abc", 'this quote is never closed'],
    ['name=^^"abc\\"', 'this quote is never closed'],
    ["^^'name'=1", '"\'" is not allowed here'],
    ['max=1 ^^&& max=2', '"&" is not allowed here'],
    ['^^!public=yes', 'unknown operator !'],
    ['status^^==MEETING', 'unknown operator =='],
    ['name^^=~a', 'unknown operator =~'],
    ['max^^<>3', 'unknown operator <>'],
    ['max=1^^&&max=2', 'conditions are joined by and, or'],
    ['name~a^^||b', 'conditions are joined by and, or'],
    ['max=^^1;', '"1;" is not a whole number'],
    ['name^^<3', 'name does not support <'],
    ['age^^~8h', 'age does not support ~'],
    ['age^^=8h', 'age does not support ='],
    ['max^^!~3', 'max does not support !~'],
    ['public^^>no', 'public does not support >'],
    ['Start^^~2026', 'start does not support ~'],
    ['age>^^8', 'no unit in "8"'],
    ['age>^^-1h', 'invalid duration "-1h": it is negative'],
    ['max=^^1e3x', '"1e3x" is not a whole number'],
    ['max=^^-1', '"-1" is not a whole number'],
    ['max=^^1.5', '"1.5" is not a whole number'],
    ['present=^^9999999999999999', '"9999999999999999" is not a whole number'],
    ['public=^^maybe', '"maybe" is neither yes nor no'],
    ['start>^^2026-12-01T09:00', '"2026-12-01T09:00" has no time zone, so it is ambiguous'],
    ['start>^^2026-02-30T09:00Z', '"2026-02-30T09:00Z" is impossible: 2026-02 has 28 days, not 30'],
    ['start>^^8h', '"8h" is a duration, not a time'],
    ['start>"^^2026-12-01 09:00"', '"2026-12-01 09:00" has no time zone, so it is ambiguous'],
    ['status~^^[a', 'this is not a regular expression: missing closing ]'],
  ])('%s: %s', async (text, message) => {
    const {selector, position} = marked(text)
    const error = await refused(selector)
    expect(error.message).toBe(`cannot read the selector: ${message}`)
    expect(error.facts.position).toBe(position)
  })

  it('is told of its first mistake', async () => {
    expect((await refused('nmae~a and status=x')).message).toContain('did you mean name?')
    expect((await refused('status=x and name~[')).message).toContain('unknown status')
  })

  it.each([
    ['max==1', 'write =; a value that begins with one needs quotes'],
    ['!public=yes', 'put not before the condition'],
    ['max=1 & max=2', 'write and'],
    ['max=1 | max=2', 'write or'],
    ['name~(a|b)', 'a value that begins with a parenthesis needs quotes'],
    ['name~x(a|b)', 'a value with parentheses needs quotes'],
    ["name='it's'", String.raw`a quote within quotes is written \' or \"`],
    ['name=my room', 'a value with spaces needs quotes'],
    ['name<3', 'it takes = != ~ !~ ~~ !~~'],
    [
      'nme~3',
      'the fields are status, name, id, creator, age, start, end, present, public, joinable, max, description, start_time, end_time, reserved_start_time, reserved_end_time',
    ],
    ['status=x', 'the statuses are RESERVED, MEETING, IDLE, ENDED'],
    ['age>8', 'use 8s, 8m, 8h or 8d'],
    ['start>2026-12-01T09:00', 'add an offset, as in 2026-12-01T09:00+09:00, or name the zone: --tz Asia/Seoul'],
  ])('%s is told what to write: %s', async (text, why) => {
    expect((await refused(text)).facts.why).toBe(why)
  })

  it('may be nested 50 deep and no deeper', async () => {
    const nested = (depth: number) => `${'('.repeat(depth)}max=1${')'.repeat(depth)}`
    await parseSelector(nested(50))
    expect((await refused(nested(51))).facts).toMatchObject({
      message: 'cannot read the selector: the selector is nested more than 50 deep',
      position: 50,
    })
    await parseSelector(`${'not '.repeat(50)}max=1`)
    expect((await refused(`${'not '.repeat(51)}max=1`)).facts.position).toBe(200)
    expect((await refused('('.repeat(4096))).message).toContain('nested more than 50 deep')
  })

  it('may hold many conditions side by side, since they are not nested', async () => {
    await parseSelector(Array.from({length: 440}, () => 'max=1').join(' or '))
  })

  it('may have 4,096 characters', async () => {
    const condition = 'name='
    await parseSelector(condition + 'x'.repeat(4096 - condition.length))
    const error = await refused(condition + 'x'.repeat(4097 - condition.length))
    expect(error.message).toBe('the selector has 4097 characters; at most 4096 are allowed')
  })
})

describe('the caret', () => {
  it('is under the character', async () => {
    expect((await refused('status=MEETING and stauts=IDLE')).facts.pointer?.join('\n')).toBe(
      'status=MEETING and stauts=IDLE\n                   ^',
    )
  })

  it('is behind the text if something is missing there', async () => {
    expect((await refused('status=')).facts.pointer?.join('\n')).toBe('status=\n       ^')
  })

  it('counts two columns for a Korean letter and for an emoji', async () => {
    expect((await refused('name=회의 and nme=x')).facts.pointer?.join('\n')).toBe(
      'name=회의 and nme=x\n              ^',
    )
    expect((await refused('name=🎉 nme=x')).facts.pointer?.join('\n')).toBe('name=🎉 nme=x\n        ^')
  })

  it('points into a regular expression, whatever was escaped before', async () => {
    expect((await refused('name~^test-[0-9')).facts.pointer?.join('\n')).toBe('name~^test-[0-9\n           ^')
    expect((await refused(`name~'^it\\'s [0-9'`)).facts.pointer?.join('\n')).toBe(`name~'^it\\'s [0-9'\n             ^`)
  })

  it('keeps the text on one line and shows characters without a width', async () => {
    expect((await refused('max=1\nand\tx\u202e=3')).facts.pointer?.join('\n')).toBe(
      'max=1 and x\u{fffd}=3\n           ^',
    )
  })

  it('stays near a mistake in a long text', async () => {
    const filler = 'max=1 or '.repeat(100)
    const error = await refused(`${filler}nme=3${' or max=2'.repeat(100)}`)
    const [line = '', caret = ''] = error.facts.pointer ?? []
    expect(line.length).toBeLessThan(90)
    expect(line).toMatch(/^….*…$/)
    expect(line.slice(caret.indexOf('^'))).toMatch(/^nme=3/)
    expect(error.facts.position).toBe(filler.length)
  })
})
