import {describe, expect, test} from 'vitest'
import {requestUuid} from '../../../../src/features/mutation/journal.js'

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
const other = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

describe('the uuid of a request is found', () => {
  test.each([
    ['by its document name', {request_uuid: uuid}],
    ['by its document name before all others', {id: other, uuid: other, request_id: other, request_uuid: uuid}],
    ['in camel case', {requestUuid: uuid}],
    ['as the id of the request', {request_id: uuid}],
    ['as an id', {id: uuid, status: 'ACCEPTED'}],
    ['within data', {status: 'SUCCESS', data: {request_uuid: uuid}}],
    ['within result', {result: {uuid}}],
    ['in the first of a list', [{request_uuid: uuid}, {request_uuid: other}]],
    ['in the first of a list within data', {data: [{id: uuid}]}],
    ['as the whole answer', uuid],
    ['as data', {data: uuid}],
    ['as the only text of its form, whatever its name', {status: 'ok', notification: uuid, count: 2}],
    ['as one that is said twice', {a: uuid, b: uuid}],
    ['in capitals', {reference: uuid.toUpperCase()}],
  ])('%s', (_, reply) => {
    expect(requestUuid(reply)?.toLowerCase()).toBe(uuid)
  })

  test('under its name in whatever form the service gives it', () => {
    expect(requestUuid({request_uuid: 'req-7'})).toBe('req-7')
  })
})

describe('without a journal', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['an empty list', []],
    ['an empty name', {request_uuid: ''}],
    ['a sentence', {request_uuid: 'was taken on'}],
    ['what steers a terminal', {request_uuid: 'x\u001b[2J'}],
    ['what no one could type', {request_uuid: 'u'.repeat(201)}],
    ['a number', {request_uuid: 7}],
    ['a text of another form', 'accepted'],
    ['two that differ, under names that say nothing', {a: uuid, b: other}],
    ['one that lies deeper', {a: {b: {c: uuid}}}],
    ['one that is inherited', Object.create({request_uuid: uuid})],
  ])('in %s', (_, reply) => {
    expect(requestUuid(reply)).toBeUndefined()
  })
})
