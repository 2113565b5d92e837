import {describe, expect, test} from 'vitest'
import {codes, commonCodes} from '../../src/api/contract/codes.js'
import {errorCatalog, meaningOf} from '../../src/api/contract/errorCatalog.js'
import {operations} from '../../src/api/contract/operations.js'
import {stateRule, stateRules} from '../../src/api/contract/stateRules.js'
import {fixedOnceMet} from '../../src/api/contract/states.js'
import {exits} from '../../src/failure.js'
import {everyCase} from '../support/everyCase.js'
import {entryOf} from './entry.js'
import {codesOf, documented, documentedOf, states, witness} from './witness.js'

describe('the codes', () => {
  test('are those of the error table and of the sample of each operation', () =>
    everyCase(documented, (id, operation) => {
      const sampled = operation.sampleCode === undefined ? [] : [operation.sampleCode]
      expect(entryOf(id).fails).toEqual([...codesOf(operation), ...sampled])
    }))

  test('are those of the document and no others', () => {
    const tables = [...witness.commonErrors.map(([code]) => code), ...witness.operationErrors.map(([, code]) => code)]
    const sampled = witness.operations.flatMap(({sampleCode}) => sampleCode ?? [])
    expect(new Set<string>(codes)).toEqual(new Set([...tables, ...sampled]))
    expect(commonCodes).toEqual(witness.commonErrors.map(([code]) => code))
    expect(Object.keys(errorCatalog)).toHaveLength(codes.length)
  })

  test.each(witness.commonErrors)('%s has its condition in the error catalog', (code, condition) => {
    expect(catalogueEntry(code).condition).toBe(condition)
  })

  test('have their conditions in the error catalog', () =>
    everyCase(witness.operationErrors, (title, code, condition) => {
      const {id} = witness.operations.find((operation) => operation.title === title) ?? {}
      expect(id).toBeDefined()
      const known = codes.find((one) => one === code)
      expect(known && meaningOf(known, id).condition).toBe(condition)
    }))

  test('have a meaning, a reason and an exit', () =>
    everyCase(codes, (code) => {
      const {exit} = errorCatalog[code]
      const own = operations.map(({id}) => meaningOf(code, id))
      expect(Object.keys(exits)).toContain(exit)
      for (const meaning of [errorCatalog[code], ...own]) {
        expect(meaning.condition).toMatch(/^\S/)
        expect(meaning.why ?? meaning.open).toMatch(/^\S/)
      }
    }))

  test('stand in the meaning of their exit', () =>
    everyCase(codes, (code) => {
      expect(exits[errorCatalog[code].exit].meaning.split(/[ ,:;]+/u)).toContain(code)
    }))

  test('end with the exits of the contract of behaviour', () => {
    const codesWith = (exit: number) => codes.filter((code) => exits[errorCatalog[code].exit].code === exit)
    const used = [...new Set(codes.map((code) => exits[errorCatalog[code].exit].code))]
    expect(Object.fromEntries(used.map((exit) => [exit, codesWith(exit)]))).toEqual({
      4: ['CE200'],
      5: ['CE003', 'T001'],
      6: ['CE002', 'RE003'],
      7: ['U001', 'D001', 'T002', 'ER001', 'AA002', 'BR001', 'BA001', 'DH001', 'RE001', 'FAILED_PRECONDITION'],
      8: ['CE001', 'AA001'],
      9: ['CE100', 'CE101'],
    })
  })
})

describe('the state table', () => {
  const cells = witness.validity.flatMap((row) => states.map((state) => [row.operation, state, row[state]] as const))

  test('says of each operation in each state whether it is allowed', () =>
    everyCase(cells, (id, state, verdict) => {
      const said = stateRule(id)?.in[state]
      // Dependence on a running recording is in words.
      if (verdict === 'while recording') expect(said?.note).toMatch(/recording/)
      else expect(said?.allowed).toBe(verdict)
      if (verdict === 'unknown') expect(said?.note).toMatch(/\S/)
    }))

  test('lets an update change everything but the documented fields in MEETING and IDLE', () => {
    const {fixedInMeetingAndIdle} = witness.validity.find(({operation}) => operation === 'room.update') ?? {}
    expect(fixedOnceMet).toEqual(fixedInMeetingAndIdle)
    for (const state of ['MEETING', 'IDLE'] as const) {
      for (const field of fixedOnceMet) expect(stateRules['room.update'].in[state].note).toContain(field)
    }
  })

  test('refuses nothing where the document names no state', () => {
    const named: string[] = witness.validity.map(({operation}) => operation)
    for (const [id, rule] of Object.entries(stateRules)) {
      if (!named.includes(documentedOf(id).id))
        expect(Object.values(rule.in).map(({allowed}) => allowed)).not.toContain('no')
    }
  })

  test('refuses with a code of the row of the operation in the error table', () =>
    everyCase(Object.keys(stateRules), (id) => {
      const code = stateRule(id)?.code
      if (code === undefined) expect(witness.validity.map(({operation}) => operation)).not.toContain(id)
      else expect(codesOf(documentedOf(id))).toContain(code)
    }))

  test('has the requesters of the document', () =>
    everyCase(documented, (id, {requester}) => {
      const who = {host: 'host', 'creator or host': 'host or creator', any: 'anybody', none: undefined}[requester]
      if (who !== undefined) expect(stateRule(id)?.who).toBe(who)
    }))
})

function catalogueEntry(code: string) {
  const known = codes.find((one) => one === code)
  if (!known) throw new Error(`the contract has no ${code}`)
  return errorCatalog[known]
}
