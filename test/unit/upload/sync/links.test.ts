import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Link} from '../../../../src/upload/model/job.js'
import {uploadOrder} from '../../../../src/upload/sync/plan.js'

interface File {
  readonly key: string
  readonly size: number
  readonly link?: Link
}

/** Assets, and bundles that link to one of them or to a resource of the service; given in any order. */
const linkedFiles = fc
  .array(fc.record({size: fc.nat(5), to: fc.option(fc.nat(100))}), {maxLength: 40})
  .chain((drafts) => {
    const files = drafts.map(({size, to}, at): File => {
      const file = {key: `f${at}`, size}
      if (to === null) return file
      const asset = drafts.findIndex((draft, other) => draft.to === null && other >= to % drafts.length)
      return asset < 0 ? {...file, link: {uuid: 'u'}} : {...file, link: {file: `f${asset}`}}
    })
    return fc.shuffledSubarray(files, {minLength: files.length, maxLength: files.length})
  })

test('the order does not depend on the order in which the files are given', () => {
  fc.assert(
    fc.property(linkedFiles, (files) => {
      const sorted = [...files].sort((item, other) => (item.key < other.key ? -1 : 1))
      expect(uploadOrder(files, ({size}) => size)).toEqual(uploadOrder(sorted, ({size}) => size))
    }),
  )
})

test('what others wait for comes first, then the largest, then by name', () => {
  const files: File[] = [
    {key: 'b', size: 1},
    {key: 'a', size: 1},
    {key: 'big', size: 9},
    {key: 'on-small', size: 5, link: {file: 'small'}},
    {key: 'small', size: 0},
  ]
  expect(uploadOrder(files, ({size}) => size).map(({key}) => key)).toEqual(['small', 'big', 'a', 'b', 'on-small'])
})
