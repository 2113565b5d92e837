import {describe, expect, test} from 'vitest'
import {basicContainer, platforms} from '../../src/api/contract/assetShapes.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {routeParameters} from '../../src/api/http/route/route.js'
import {everyCase} from '../support/everyCase.js'
import {assetDocumented, assetInput, assetPath, assetResource, assetSample, assetWitness} from './assetWitness.js'
import {accepts, entryOf} from './entry.js'
import {without} from './witness.js'

describe('the asset operations', () => {
  test('are those of the document, in its order, and no others', () => {
    const ofService = operations.filter(({service}) => service === 'asset').map(({id}) => id)
    expect(ofService).toEqual(assetWitness.operations.map(({id}) => id))
  })

  test('have their method and path, and nothing of them is assumed', () =>
    everyCase(assetDocumented, (id, {method, path, table}) => {
      const entry = entryOf(id)
      // The document writes OPTION; the method of HTTP is OPTIONS.
      expect(entry.method).toBe(method === 'OPTION' ? 'OPTIONS' : method)
      expect(entry.route).toBe(path)
      expect(entry.source).toBe(`asset, ${table}`)
      expect(entry.assumed).toBeUndefined()
      expect(entry.fails).toEqual([])
    }))

  test('include no deletion: the document says that it is not available', () => {
    expect(assetWitness.notOffered).toEqual([{method: 'DELETE', path: '/{container}/'}])
    const methods = operations.filter(({service}) => service === 'asset').map(({method}): string => method)
    expect(methods).not.toContain('DELETE')
  })

  test('with a slash at the end a container is created, without it an upload begins', () => {
    const posts = operations.filter(({service, method}) => service === 'asset' && method === 'POST')
    expect(posts.map(({id, route}) => [id, route])).toEqual([
      ['asset.create', '/{container}/'],
      ['asset.upload', '/{container}'],
    ])
  })

  test('take a container of any depth, and exactly the documented parameters', () =>
    everyCase(assetDocumented, (id, operation) => {
      const entry = entryOf(id)
      const path = assetPath(operation)
      expect(entry.catchAll).toBe('container')
      expect(routeParameters(entry.route)).toEqual(Object.keys(path))
      expect(accepts(entry.path, path)).toBe(true)
      expect(accepts(entry.path, {...path, other: 'x'})).toBe(false)
      for (const name of Object.keys(path)) {
        expect(accepts(entry.path, without(path, name))).toBe(false)
        expect(accepts(entry.path, {...path, [name]: ''})).toBe(false)
      }
    }))

  test('have the documented query', () =>
    everyCase(assetDocumented, (id, operation) => {
      const {query} = entryOf(id)
      expect(accepts(query, assetInput(operation).query)).toBe(true)
      expect(accepts(query, assetInput(operation, 'least').query)).toBe(true)
      expect(accepts(query, {other: 'x'})).toBe(false)
      for (const [name, {value, required}] of Object.entries(operation.query)) {
        expect(accepts(query, {[name]: `${value}s`})).toBe(false)
        expect(accepts(query, {})).toBe(required === 'no')
      }
    }))
})

describe('the headers of a request', () => {
  const rows = assetWitness.operations.flatMap((operation) =>
    Object.entries(operation.headers ?? {}).map(
      ([name, {required}]) => [operation.id, name, required, operation] as const,
    ),
  )

  test.each(rows)('%s: %s is required: %s', (id, name, required, operation) => {
    const {headers} = entryOf(id)
    const whole = assetInput(operation).headers ?? {}
    expect(accepts(headers, whole)).toBe(true)
    expect(accepts(headers, without(whole, name))).toBe(required === 'no')
  })

  test.each(assetDocumented.filter(([, {headers}]) => headers))('%s takes no others', (id, operation) => {
    expect(accepts(entryOf(id).headers, {...assetInput(operation).headers, other: 'x'})).toBe(false)
    expect(accepts(entryOf(id).headers, assetInput(operation, 'least').headers)).toBe(true)
  })

  test.each(assetDocumented.filter(([, {headers}]) => !headers))('%s has none of its own', (id) => {
    expect(entryOf(id).headers).toBeUndefined()
  })

  test('a platform is one of the three, in lower case', () => {
    expect([...platforms]).toEqual(assetWitness.platforms)
    const upload = assetWitness.operations.find(({id}) => id === 'asset.upload')
    const headers = upload ? (assetInput(upload).headers ?? {}) : {}
    for (const platform of platforms) {
      expect(accepts(entryOf('asset.upload').headers, {...headers, Platform: platform})).toBe(true)
      expect(accepts(entryOf('asset.upload').headers, {...headers, Platform: platform.toUpperCase()})).toBe(false)
    }
  })

  test('the bytes of an upload have the content type of tus and no other', () => {
    const patch = assetWitness.operations.find(({id}) => id === 'asset.patch')
    const headers = patch ? (assetInput(patch).headers ?? {}) : {}
    expect(accepts(entryOf('asset.patch').headers, {...headers, 'Content-Type': 'application/octet-stream'})).toBe(
      false,
    )
  })
})

describe('the bodies of a request', () => {
  test('are the documented ones', () =>
    everyCase(assetDocumented, (id, operation) => {
      const {body} = entryOf(id)
      if (operation.body === null) return expect(body).toBeUndefined()
      const whole = assetInput(operation).body ?? {}
      expect(accepts(body, whole)).toBe(true)
      expect(accepts(body, {...whole, other: 'x'})).toBe(false)
      for (const [name, {required}] of Object.entries(operation.body)) {
        expect(accepts(body, without(whole, name))).toBe(required === 'no')
        expect(accepts(body, {...whole, [name]: 7})).toBe(false)
        expect(accepts(body, {...whole, [name]: null})).toBe(false)
      }
    }))

  test('a description may be empty, a name may not', () => {
    const {body} = entryOf('asset.create')
    expect(accepts(body, {type: basicContainer, name: 'x', description: ''})).toBe(true)
    expect(accepts(body, {type: basicContainer, name: '', description: ''})).toBe(false)
  })
})

describe('the answers', () => {
  const withBody = assetDocumented.filter(([, {reply}]) => reply !== null && reply !== 'not shown')

  test.each(withBody)('%s gives the documented fields back as they came, and others beside them', (id, {reply}) => {
    const value = {...assetResource(reply ?? ''), other: {deep: [1, null]}}
    expect(replyOf(entryOf(id), structuredClone(value))).toEqual({success: true, data: value})
  })

  test.each(withBody)('%s refuses a field of another type', (id, {reply}) => {
    const whole = assetResource(reply ?? '')
    for (const [name, type] of Object.entries(assetWitness.resources[reply ?? ''] ?? {})) {
      if (type === 'not shown') continue
      const wrong = type.endsWith('[]') || assetWitness.resources[type] ? 'a text' : 7
      expect([name, replyOf(entryOf(id), {...whole, [name]: wrong}).success]).toEqual([name, false])
    }
  })

  test.each(withBody)('%s takes null for a nullable field', (id, {reply}) => {
    const fields = Object.entries(assetWitness.resources[reply ?? ''] ?? {})
    const nullable = fields.filter(([, type]) => type.endsWith(' or null')).map(([name]) => [name, null])
    const value = {...assetResource(reply ?? ''), ...Object.fromEntries(nullable)}
    expect(replyOf(entryOf(id), value).success).toBe(true)
  })

  test.each(assetDocumented.filter(([, {replyHeaders}]) => replyHeaders))(
    '%s finds its result in the headers',
    (id, operation) => {
      const names = Object.entries(operation.replyHeaders ?? {})
      const headers = Object.fromEntries(names.map(([name]) => [name.toLowerCase(), assetSample('string', name)]))
      const entry = entryOf(id)
      expect(entry.responseFormat).toBe('headers')
      expect(replyOf(entry, headers)).toEqual({success: true, data: headers})
      expect(replyOf(entry, {}).success).toBe(names.every(([, required]) => required === 'no'))
    },
  )

  test('are JSON, headers, or nothing', () => {
    const answers = assetWitness.operations.map(({id}) => entryOf(id).responseFormat)
    expect(answers).toEqual([
      ...['json', 'json', 'json', 'nothing', 'headers', 'headers', 'headers', 'headers'],
      ...['json', 'json', 'json', 'json'],
    ])
  })
})

function replyOf({reply}: Operation, value: unknown) {
  return reply.safeParse(value)
}
