import {describe, expect, test} from 'vitest'
import {knownOperation} from '../../../../src/features/config/routes.js'
import {witness} from '../../../contract/witness.js'
import {everyCase} from '../../../support/everyCase.js'
import {failing} from '../../../support/failures.js'

describe('the id of an operation', () => {
  test('is known for every operation', () =>
    everyCase(
      witness.operations.map(({id}) => id),
      (id) => {
        expect(knownOperation(id).id).toBe(id)
      },
    ))

  test.each([
    ['room.ends', 'did you mean room.end?'],
    ['Room.Create', 'did you mean room.create?'],
    ['__proto__', 'roomctl config route list shows every id'],
    ['', 'roomctl config route list shows every id'],
  ])('%j is not, and the advice is: %s', (id, advice) => {
    expect(failing(() => knownOperation(id))).toMatchObject({exit: 'usage', try: advice})
  })
})
