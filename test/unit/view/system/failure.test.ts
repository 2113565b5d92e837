import {describe, expect, test} from 'vitest'
import {Failure, type FailureFacts} from '../../../../src/failure.js'
import {noStyle} from '../../../../src/text/text.js'
import {failureLine, failureText} from '../../../../src/view/system/failure.js'

const facts: FailureFacts = {
  exit: 'state',
  code: 'ER001',
  message: 'cannot end room r-42: it is IDLE, only a MEETING room can be ended',
  why: 'everybody has left; the service keeps the room until it is deleted or entered again',
  try: 'roomctl room delete r-42',
}
const text = (about: Partial<FailureFacts> = {}) => failureText(new Failure({...facts, ...about}), noStyle)

describe('a failure for people', () => {
  test('says the code of the service, and no code of its own', () => {
    expect(text({message: 'ER001: no', why: undefined, try: undefined})).toBe('error: ER001: no (ER001)\n')
    expect(text({code: 'usage', message: 'no', why: undefined, try: undefined})).toBe('error: no\n')
    expect(text({code: 'too-large', message: 'no', why: undefined, try: undefined})).toBe('error: no\n')
    expect(text({code: undefined, message: 'no', why: undefined, try: undefined})).toBe('error: no\n')
  })

  test('shows an unknown code of the service as it came', () => {
    expect(text({code: 'XX999', message: 'no', why: undefined, try: undefined})).toBe('error: no (XX999)\n')
    expect(text({code: 'X\u001b[2J', message: 'no', why: undefined, try: undefined})).toBe('error: no (X\\u{1b}[2J)\n')
  })

  test('is never broken into lines', () => {
    const long = `${'word '.repeat(100)}end`
    expect(text({message: long, why: 'a\nb\r\u001b[1A', try: 'x\u2028y'})).toBe(
      `error: ${long} (ER001)\n  why: a\\u{a}b\\u{d}\\u{1b}[1A\n  try: x\\u{2028}y\n`,
    )
  })

  test('has the message of the service under the reason, unless it says the same', () => {
    const said = (serviceMessage: string) => text({serviceMessage}).replace(text(), '').split('\n')
    expect(said('Room status is IDLE\u001b[2J').slice(1, -1)).toEqual([
      `  why: ${facts.why}`,
      '  service: Room status is IDLE\\u{1b}[2J',
      `  try: ${facts.try}`,
    ])
    for (const same of ['', 'Only a MEETING room can be ended.', 'everybody has  left']) {
      expect(text({serviceMessage: same})).toBe(text())
    }
  })
})

describe('a failure for machines', () => {
  test('hides nothing, and keeps the message of the service', () => {
    const message = 'a\nb\u009b31m\u202e'
    const line = failureLine(new Failure({exit: 'refused', message}))
    expect(line).toContain('a\\nb\\u009b31m\\u202e')
    expect(JSON.parse(line).error.message).toBe(message)
  })
})
