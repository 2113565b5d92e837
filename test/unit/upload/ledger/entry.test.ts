import {describe, expect, test} from 'vitest'
import {entryId} from '../../../../src/upload/ledger/entry.js'
import {beginning} from './ledgerStage.js'

describe('the id of an upload', () => {
  const target = beginning('a', {link: 'u-1'})

  test('is sixteen hex digits, the same for the same content and target', () => {
    expect(entryId(target, 12, 's')).toMatch(/^[0-9a-f]{16}$/u)
    expect(entryId({...target, path: '/elsewhere'} as typeof target, 12, 's')).toBe(entryId(target, 12, 's'))
  })

  test.each([
    ['base', {base: 'https://other.example.com/asset'}],
    ['container', {container: 'games'}],
    ['name', {name: 'b.bundle'}],
    ['platform', {platform: 'android' as const}],
    ['description', {description: 'another'}],
    ['link', {link: 'u-2'}],
  ])('differs if the %s differs', (_member, facts) => {
    expect(entryId({...target, ...facts}, 12, 's')).not.toBe(entryId(target, 12, 's'))
  })

  test('differs if the size, the sample or the link differs', () => {
    const {link: _, ...bare} = target
    const ids = [entryId(target, 12, 's'), entryId(target, 13, 's'), entryId(target, 12, 't'), entryId(bare, 12, 's')]
    expect(new Set(ids).size).toBe(4)
  })
})
