import {expect, test} from 'vitest'
import {checkedUrl} from '../../../../src/upload/engine/addresses.js'
import type {LedgerEntry} from '../../../../src/upload/ledger/entry.js'
import {failureOf} from '../../../support/failures.js'
import {beginning} from '../ledger/ledgerStage.js'

const endpoint = new URL('https://assets.example.com/asset/games/foo')
const at = '2026-12-01T12:00:00.000Z'
const entry: LedgerEntry = {
  id: 'a',
  ...beginning('a'),
  begunAt: at,
  updatedAt: at,
  url: 'https://assets.example.com/asset/games/foo/u-1',
  acked: [
    {from: 0, to: 40},
    {from: 40, to: 80},
  ],
  inFlight: [{from: 80, to: 100}],
}

const notThere = /is not that of an upload in games\/foo$/u

test.each([
  ['https://evil.example.com/asset/games/foo/u-1', /is on https:\/\/evil\.example\.com/u],
  ['https://assets.example.com:8443/asset/games/foo/u-1', /is on https:\/\/assets\.example\.com:8443/u],
  ['http://assets.example.com/asset/games/foo/u-1', /is on http:\/\/assets\.example\.com/u],
  ['https://assets.example.com.evil.com/asset', /is on https:\/\/assets\.example\.com\.evil\.com/u],
  ['https://assets.example.com@evil.example.com/asset', /holds a user name or a password/u],
  ['https://user:secret@assets.example.com/asset/u-1', /holds a user name or a password/u],
  ['file:///etc/passwd', /begins with file:/u],
  ['https://assets.example.com/assets/games/foo/u-1', notThere],
  ['https://assets.example.com/asset/../u-1', notThere],
  ['https://assets.example.com/asset/games/bar/u-1', notThere],
  ['https://assets.example.com/asset/games/foo', notThere],
  ['https://assets.example.com/asset/games/foo/', notThere],
  ['https://assets.example.com/asset/games/foo/u-1/', notThere],
  ['https://assets.example.com/asset/games/foo/a/u-1', notThere],
  ['https://assets.example.com/asset/games/foo/..%2f..%2fu-1', notThere],
  ['https://assets.example.com/asset/games/foo/u-1?force=1', notThere],
  ['https://assets.example.com/asset/games/foo/u-1#x', notThere],
  ['javascript:alert(1)', /begins with javascript:/u],
  ['//evil.example.com/x', /its address is not valid/u],
  ['/asset/games/foo/u-1', /its address is not valid/u],
  ['', /its address is not valid/u],
])('a changed address is refused: %s', async (url, message) => {
  const {facts, exitCode} = await failureOf(() => checkedUrl({...entry, url}, endpoint))
  expect(exitCode).toBe(14)
  expect(facts.message).toMatch(message)
  expect(facts.message).not.toContain('secret')
  expect(facts.try).toBe('before you upload it again: roomctl asset forget a')
})

const part = (from: number, to: number) => ({from, to})

test.each([
  ['a part that begins before the end of the one before', {acked: [part(0, 40), part(30, 80)]}],
  ['a gap', {acked: [part(0, 40), part(50, 80)]}],
  ['a first part that is not the first', {acked: [part(10, 40)]}],
  ['a part that ends before it begins', {acked: [part(0, -1)]}],
  ['more than the file holds', {acked: [part(0, 101)]}],
  ['a part under way that the file does not hold', {inFlight: [part(80, 101)]}],
])('impossible offsets are refused: %s', async (_what, facts) => {
  expect((await failureOf(() => checkedUrl({...entry, ...facts}, endpoint))).facts).toMatchObject({
    exit: 'file',
    code: 'ledger-entry',
  })
})
