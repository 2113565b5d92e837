import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {always, page} from '../answers.js'

const line = [
  'push',
  'android',
  '--application-id',
  'app-new',
  '--package',
  'com.example.rooms',
  '--server-key-stdin',
  '--legacy',
]
const key = `AAAAcanary1:${'k3y-Of_the_Test'.repeat(10).slice(0, 140)}`
const warning = /^warning: [^\n]*Google shut down the FCM interface[^\n]*$/
const refused = () => always(() => page(401))

// Under a machine format a failure is one JSON object on stderr.
describe('messages before a failure', () => {
  test.each(['json', 'csv'])('are in its object under -o %s', async (format) => {
    const ran = await cli([...line, '-o', format], {stdin: key, transport: refused()})
    expect(ran).toMatchObject({exit: 4, stdout: ''})
    const {error, notes, ...others} = JSON.parse(ran.stderr)
    expect(error).toMatchObject({exit_code: 4, http_status: 401})
    expect(notes).toEqual(expect.arrayContaining([expect.stringMatching(warning)]))
    expect(others).toEqual({})
    expect(ran.stderr.split('\n')).toEqual([expect.any(String), ''])
    expect(ran.stderr).not.toContain(key)
  })

  test('have no colour there, on any kind of stderr', async () => {
    const env = {FORCE_COLOR: '1'}
    const ran = await cli([...line, '-o', 'json'], {stdin: key, transport: refused(), columns: 80, env})
    expect(JSON.parse(ran.stderr).notes.join('')).not.toMatch(/\p{Cc}/u)
  })

  test('come first for people', async () => {
    const ran = await cli(line, {stdin: key, transport: refused()})
    expect(ran.stderr.split('\n')[0]).toMatch(warning)
    expect(ran.stderr).toMatch(/\nerror: cannot /)
  })

  test('come at once with --debug, and the object is the last line', async () => {
    const ran = await cli([...line, '-o', 'json', '--debug'], {stdin: key, transport: refused()})
    const lines = ran.stderr.trimEnd().split('\n')
    expect(lines.findIndex((one) => warning.test(one))).toBeLessThan(
      lines.findIndex((one) => one.includes('HTTP 401') || one.includes(' 401 ')),
    )
    expect(Object.keys(JSON.parse(lines.at(-1) ?? ''))).toEqual(['error'])
  })

  test('are no member where nothing was said', async () => {
    const ran = await cli('room show r-gone -o json')
    expect(Object.keys(JSON.parse(ran.stderr))).toEqual(['error'])
  })
})

test('messages beside a result follow it, a line each', async () => {
  const ran = await cli([...line, '-o', 'json'], {stdin: key})
  expect(ran.exit).toBe(0)
  expect(JSON.parse(ran.stdout)).toMatchObject({package_name: 'com.example.rooms'})
  expect(ran.stderr.split('\n')[0]).toMatch(warning)
})
