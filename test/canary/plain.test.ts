import {beforeAll, describe, expect, test} from 'vitest'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {type Kind, kinds} from './answers.js'
import {canaries, finder, secretValues} from './canaries.js'
import {codings, repeated} from './codings.js'
import {Finder} from './finder.js'
import {type Results, runMatrix} from './matrix.js'
import {expectNothingSeen, longest} from './verdict.js'

let results: Results
beforeAll(async () => {
  results = await runMatrix({})
}, longest)

describe('nothing secret is shown or kept, whatever a service answers', () => {
  expectNothingSeen(() => results)

  test('where each line does what it is about as long as the service does', () => {
    const {cases, exits} = results
    const other = cases.flatMap(({line, kind, format}, at) => {
      const isMeant = kind === 'success' && format === 'table' && !line.isDry && !line.kinds
      return isMeant && exits[at] !== String(line.exit ?? 0) ? [`${line.line}: ${exits[at]}`] : []
    })
    expect(other).toEqual([])
  })
})

describe('every operation of the contract', () => {
  const entries: readonly Operation[] = operations
  const answered = (id: string) => results.arrived.filter(({operation}) => operation?.id === id)

  test.each(entries.map(({id}) => id))('%s is answered in every way', (id) => {
    const met = new Set<Kind>(answered(id).map(({kind}) => kind))
    expect(kinds.filter((kind) => !met.has(kind))).toEqual([])
  })

  const secret = entries.flatMap(({id, secrets = [], effect}) =>
    effect === 'read' ? [] : secrets.map((name) => [id, name] as const),
  )

  test.each(secret)('%s carries %s, which is one of the secrets that are looked for', (id, name) => {
    const value = secretValues[name]
    expect(value, `test/canary/canaries.ts has no value for ${name}`).toBeDefined()
    const mine = new Finder({[name]: value ?? ''})
    expect(answered(id).some(({told}) => mine.find(`${told.url} ${told.body}`).length > 0)).toBe(true)
  })

  test('is sent the token of its service', () => {
    const without = results.arrived.filter(
      ({operation, told}) =>
        operation && !finder.find(told.authorization).some((one) => one.startsWith(`token of ${operation.service},`)),
    )
    expect(without.map(({told}) => `${told.method} ${told.url}`)).toEqual([])
  })
})

describe('the finder', () => {
  test.each(Object.entries(canaries))(
    'finds the %s in every way in which a service here repeats it',
    (name, canary) => {
      const text = typeof canary === 'string' ? canary : canary.toString('latin1')
      const said = {method: 'POST', url: '/', authorization: '', body: `say ${text}!`}
      const possible = typeof canary === 'string' ? codings : codings.filter((coding) => /raw|base64|hex/i.test(coding))
      for (const coding of possible) expect(finder.find(repeated(coding, said)).join(), coding).toContain(name)
      if (typeof canary !== 'string') return
      expect(finder.find(text.slice(4, 30)).join()).toContain(name)
      expect(finder.find(text.split('').reverse().join('')).join()).toContain(name)
      expect(finder.find(text.slice(0, 40).replace(/.{7}/g, '$&\n')).join()).toContain(name)
      expect(
        finder.find(`<Buffer ${Buffer.from(canary).subarray(0, 40).toString('hex').replace(/../g, '$& ')}>`),
      ).not.toEqual([])
    },
  )

  test('finds nothing in what only looks like a secret', () => {
    expect(finder.find('registered an ANDROID token of 12 characters: AAAA*** (152 characters)')).toEqual([])
  })
})
