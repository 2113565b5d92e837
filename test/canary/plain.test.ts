import {beforeAll, describe, expect, test} from 'vitest'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {type Kind, kinds} from './answers.js'
import {canaries, finder, secretValues} from './canaries.js'
import {commands, refusalsInTurn} from './cases.js'
import {inWords, repeated} from './codings.js'
import {Finder} from './finder.js'
import {lines} from './lines.js'
import {expectNothingSeen, longest, type Results, runMatrix} from './matrix.js'

let results: Results
beforeAll(async () => {
  results = await runMatrix({})
}, longest)

describe('nothing secret is shown or kept, whatever a service answers', () => {
  expectNothingSeen(() => results)

  test('each line succeeds as long as the service does', () => {
    const {cases, exits} = results
    const other = cases.flatMap(({line, kind, format}, at) => {
      const isMeant = kind === 'success' && format === 'table' && !line.isDry && !line.kinds
      return isMeant && exits[at] !== String(line.exit ?? 0) ? [`${line.line}: ${exits[at]}`] : []
    })
    expect(other).toEqual([])
  })
})

describe('every', () => {
  const entries: readonly Operation[] = operations
  const answered = (id: string) => results.arrived.filter(({operation}) => operation?.id === id)

  test('command has a line', () => {
    expect(commands.filter((command) => lines[command] === undefined)).toEqual([])
  })

  test('operation of the contract is answered in every way', () => {
    const missed = entries.flatMap(({id}) => {
      const met = new Set<Kind>(answered(id).map(({kind}) => kind))
      const missing = kinds.filter((kind) => !met.has(kind) && !refusalsInTurn.includes(String(kind)))
      return missing.map((kind) => `${id}: ${kind}`)
    })
    expect(missed).toEqual([])
  })

  test('operation carries the secrets that the contract marks, and they are looked for', () => {
    const secret = entries.flatMap(({id, secrets = [], effect}) =>
      effect === 'read' ? [] : secrets.map((name) => [id, name] as const),
    )
    const unsent = secret.filter(([id, name]) => {
      const mine = new Finder({[name]: secretValues[name] ?? ''})
      return !answered(id).some(({told}) => mine.find(`${told.url} ${told.body}`).length > 0)
    })
    expect(unsent).toEqual([])
  })

  test('operation is sent the token of its service', () => {
    const without = results.arrived.filter(
      ({operation, told}) =>
        operation && !finder.find(told.authorization).some((one) => one.startsWith(`token of ${operation.service},`)),
    )
    expect(without.map(({told}) => `${told.method} ${told.url}`)).toEqual([])
  })
})

describe('the finder', () => {
  test('finds each secret in every way in which a service here repeats it', () => {
    const missed = Object.entries(canaries).flatMap(([name, canary]) => {
      const text = typeof canary === 'string' ? canary : canary.toString('latin1')
      const said = {method: 'POST', url: '/', authorization: '', body: `say ${text}!`}
      const possible = typeof canary === 'string' ? inWords : inWords.filter((coding) => coding.startsWith('base64'))
      const ways = [
        ...possible.map((coding) => repeated(coding, said)),
        ...(text === canary ? [text.slice(4, 30)] : []),
      ]
      return ways.filter((way) => !finder.find(way).join().includes(name)).map((way) => `${name}: ${way}`)
    })
    expect(missed).toEqual([])
  })

  test('finds nothing in what only looks like a secret', () => {
    expect(finder.find('registered an ANDROID token of 12 characters: AAAA*** (152 characters)')).toEqual([])
  })
})
