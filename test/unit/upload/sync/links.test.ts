import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Link} from '../../../../src/upload/model/job.js'
import {findCycle} from '../../../../src/upload/sync/manifest.js'
import {uploadOrder} from '../../../../src/upload/sync/plan.js'

interface File {
  readonly key: string
  readonly size: number
  readonly link?: Link
}

/** Files of which each links to one before it, to a resource of the service, or to nothing; given in any order. */
const linkedFiles = fc
  .array(fc.record({size: fc.nat(5), to: fc.option(fc.nat(100))}), {maxLength: 40})
  .chain((drafts) => {
    const files = drafts.map(({size, to}, at): File => {
      const file = {key: `f${at}`, size}
      if (to === null) return file
      return at === 0 || to > 90 ? {...file, link: {uuid: 'u'}} : {...file, link: {file: `f${to % at}`}}
    })
    return fc.shuffledSubarray(files, {minLength: files.length, maxLength: files.length})
  })

test('every file comes once, and what is linked to before what links to it', () => {
  fc.assert(
    fc.property(linkedFiles, (files) => {
      expect(findCycle(files)).toBeUndefined()
      const keys = uploadOrder(files, ({size}) => size).map(({key}) => key)
      expect([...keys].sort()).toEqual(files.map(({key}) => key).sort())
      for (const {key, link} of files) {
        if (link !== undefined && 'file' in link) expect(keys.indexOf(link.file)).toBeLessThan(keys.indexOf(key))
      }
    }),
  )
})

test('the order does not depend on the order in which the files are given', () => {
  fc.assert(
    fc.property(linkedFiles, (files) => {
      const sorted = [...files].sort((one, other) => (one.key < other.key ? -1 : 1))
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

test('a circle of links is found wherever it is entered, and a chain of a hundred thousand is none', () => {
  const circle: File[] = [
    {key: 'tail', size: 0, link: {file: 'a'}},
    {key: 'a', size: 0, link: {file: 'b'}},
    {key: 'b', size: 0, link: {file: 'c'}},
    {key: 'c', size: 0, link: {file: 'a'}},
  ]
  expect(findCycle(circle)).toEqual(['a', 'b', 'c'])
  const chain = Array.from({length: 100_000}, (_, at): File => {
    const key = `f${String(at).padStart(6, '0')}`
    return at === 0 ? {key, size: 0} : {key, size: 0, link: {file: `f${String(at - 1).padStart(6, '0')}`}}
  }).reverse()
  expect(findCycle(chain)).toBeUndefined()
  expect(uploadOrder(chain, () => 0).map(({key}) => key)).toEqual(chain.map(({key}) => key).reverse())
})
