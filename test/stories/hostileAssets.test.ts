import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {answers, listing, steering, steeringMeta, steers} from './hostileAssetAnswers.js'
import {measured} from './measured.js'
import {freshPlace, type Place, shell} from './place.js'
import {assetEnvironmentOf, type Service, sendJson, serve} from './service.js'

const quick = {ROOMCTL_RETRIES: '0', ROOMCTL_TIMEOUT: '2s'}

describe('an asset service that answers a listing with', () => {
  let place: Place
  let service: Service

  beforeAll(async () => {
    service = await serve((asked, response) => answers[decodeURIComponent(asked.split('/')[1] ?? '')]?.answer(response))
    place = freshPlace(quick)
  })

  const leadingTo = (what: string) => assetEnvironmentOf(service, `/${encodeURIComponent(what)}`)

  test.each(Object.entries(answers))('%s is told apart, in bounded memory', async (what, {exit, text}) => {
    const ran = await measured(place, 'roomctl asset list games', leadingTo(what))
    expect(ran.stderr).toMatch(text)
    expect(ran.stderr).toMatch(/^error: cannot list container games: .*\n(?: {2}why: .*\n)?(?: {2}try: .*\n)?$/)
    expect(ran.stderr).not.toMatch(/should not|undefined|Error:|\[object|evil\.example/)
    expect(ran.stderr).not.toMatch(steers)
    expect(ran).toMatchObject({exit, stdout: ''})
    expect(ran.peakMiB).toBeLessThan(250)
  })

  test.each([
    'info games',
    'show games/a',
    'show games/a --view catalog',
    'show games/a --view link',
    'create games --description d',
  ])('the same of asset %s, as one object to a program', async (line) => {
    for (const what of [
      'an HTML page',
      'a list instead of an object',
      'a number',
      'a member of no document, 100,000 deep',
      'the end of the connection',
      'a redirect',
    ]) {
      const ran = await shell(place, `roomctl asset ${line} -o json`, {env: leadingTo(what)})
      expect(ran, what).toMatchObject({exit: 10, stdout: ''})
      const outcomes = line.startsWith('create') ? ['unknown', 'applied'] : ['none']
      expect(outcomes, what).toContain(JSON.parse(ran.stderr).error.outcome)
    }
  })
})

describe('an asset service whose every word steers the terminal', () => {
  let place: Place

  beforeAll(async () => {
    const hostile = listing(
      {name: steering, type: steering, platform: steering, description: steering, uri: `/games/${steering}?type=asset`},
      {type: steering, uri: `/${steering}/`},
    )
    const service = await serve((asked, response) => {
      response.setHeader('allow', 'GET, \u009b31mPUT')
      response.setHeader('link', '<\u009d0;pwned\u009c>')
      if (asked.endsWith('games/')) sendJson(response, hostile)
      else sendJson(response, steeringMeta())
    })
    place = freshPlace({...quick, ...assetEnvironmentOf(service), NO_COLOR: '1', TERM: 'xterm'})
  })

  const lines = [
    'asset list games',
    'asset list games --tree',
    'asset list games --kind asset',
    'asset info games',
    'asset methods games',
    'asset show games/a',
    'asset show games/a --view link',
    'asset show games/a --view catalog',
    'asset show games/a --view asset',
    'asset create games/new --description d',
    'asset download games/a',
  ]

  test.each(lines)('%s shows what it is, and steers nothing', async (line) => {
    for (const columns of [80, 200]) {
      const seen = await onTerminal({command: ['roomctl', ...line.split(' ')], env: place.env, cwd: place.dir, columns})
      expect(seen.terminal).not.toMatch(steers)
      expect(seen.text).not.toBe('')
    }
    for (const format of ['table', 'csv', 'tsv', 'yaml', 'json', 'ndjson', 'ids']) {
      const ran = await shell(place, `roomctl ${line} -o ${format}`)
      expect((ran.stdout + ran.stderr).replace(/\t/g, ''), format).not.toMatch(steers)
      expect(ran.stdout + ran.stderr, format).not.toMatch(/undefined|\[object/)
    }
  })
})

describe('a container that holds 100,000 resources', () => {
  const many = 100_000
  let place: Place

  beforeAll(async () => {
    const assetResources = Array.from({length: many}, (_, at) => ({
      type: 'AssetResource',
      platform: 'IOS',
      name: `bundle-${at}.bundle`,
      uri: `/games/u-${at}?type=asset`,
    }))
    const body = JSON.stringify({contains: [], resources: {assetResources, commonResources: []}})
    const service = await serve((_, response) => sendJson(response, body))
    place = freshPlace({ROOMCTL_TIMEOUT: '20s', ...assetEnvironmentOf(service)})
  })

  test.each(['table', 'json', 'csv', 'ids'])('is listed whole in bounded memory as %s', async (format) => {
    const ran = await measured(place, `roomctl asset list games -o ${format}`)
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout.match(/u-\d+\b(?!\?)(?!",\n {4}"uri)/g)?.length).toBeGreaterThanOrEqual(many)
    expect(ran.peakMiB).toBeLessThan(400)
  })
})

describe('containers that never end', () => {
  test('are walked as far as is reasonable, and that is said', async () => {
    const service = await serve((asked, response) => sendJson(response, {contains: [{uri: `${asked}x/`}]}))
    const ran = await shell(freshPlace(assetEnvironmentOf(service)), 'roomctl asset list games --tree')
    expect(ran.exit).toBe(11)
    expect(ran.stdout).toContain('more than 64 containers deep')
    expect(service.asked.length).toBeLessThan(100)
  })
})
