import {readFileSync} from 'node:fs'
import {setTimeout as pause} from 'node:timers/promises'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {shell, start} from '../stories/place.js'
import {inOneProcess} from '../support/inOneProcess.js'
import type {Kind} from './answers.js'
import {canaries, finder, secretValues} from './canaries.js'
import {expectNone, placeAt} from './place.js'
import {type EchoService, echoService} from './service.js'

/** Commands of every service, those among them that carry more than their token. */
const lines = [
  'attendee add r-townhall zoe',
  'asset list games',
  'push register ann --type ANDROID < "$IN/device-token"',
  'push ios "$IN/push.p12" --password-file "$IN/password" --confirm app-1',
]

/** The matrix covers all answers, with the same bundle; here a process is started for each line. */
const kinds: readonly Kind[] = ['echo', 'timeout']

let service: EchoService
beforeAll(async () => {
  service = await echoService(kinds.map((kind) => ({kind, about: 'all', prepared: false, isRaw: false})))
})
afterAll(() => service.close())

const placeFor = (number: number, env: Readonly<Record<string, string>> = {}) =>
  placeAt(`${service.url}/${number}`, env)

describe('the installed program shows and keeps nothing secret', () => {
  test('whatever the answer is', {timeout: 120_000}, async () => {
    for (const [number, kind] of kinds.entries()) {
      const place = placeFor(number, {DEBUG: '*', ROOMCTL_TIMEOUT: kind === 'timeout' ? '100ms' : '10s'})
      const script = lines.map((line) => `roomctl ${line.replace(/(?= <|$)/, ' --debug')}`)
      const ran = await shell(place, script.join('; '))
      expectNone(ran, place)
      expect(ran.stderr).toContain('authorization: ***')
      expect(ran.stderr).toContain('"push_token":"***"')
    }
  })

  test('in any other format of a result', {timeout: 60_000}, async () => {
    const place = placeFor(kinds.indexOf('echo'))
    const shown = ['room show r-standup', 'asset list games', 'push show', 'push records']
    const formats = [
      ['-o', 'ndjson'],
      ['-o', 'yaml'],
      ['-o', 'tsv'],
      ['-o', 'ids'],
      ['-o', 'json', '--query', 'to_string(@)'],
    ]
    const type = inOneProcess()
    for (const line of shown) {
      for (const format of formats) {
        expectNone(await type({words: [...line.split(' '), ...format], cwd: place.dir, env: place.env}), place)
      }
    }
  })

  test('in the command line that other users can see', async () => {
    const number = kinds.indexOf('timeout')
    const place = placeFor(number)
    const running = start(place, `exec roomctl ${lines.find((line) => line.includes('ios'))}`)
    const before = service.arrived.length
    while (service.arrived.length === before) await pause(10)
    const commandLine = readFileSync(`/proc/${running.child.pid}/cmdline`, 'utf8')
    expect(commandLine).toContain('ios')
    expect(finder.find(commandLine)).toEqual([])
    running.child.kill('SIGINT')
    expectNone(await running.ended, place)
  })
})

test('a secret that is asked for is in the result, and nowhere else', {timeout: 60_000}, async () => {
  const revealing = [
    ['push show --reveal', 'table', canaries['server key']],
    ['push show --reveal', 'json', canaries['server key']],
    ['attendee token r-standup ben', 'table', String(secretValues.token)],
    ['attendee token r-standup ben', 'json', String(secretValues.token)],
  ] as const
  const place = placeFor(kinds.indexOf('echo'), {DEBUG: '*'})
  for (const [line, format, secret] of revealing) {
    const ran = await shell(place, `roomctl ${line} -o ${format} --debug`)
    expect(ran).toMatchObject({exit: 0})
    expect(ran.stdout).toContain(secret)
    expectNone({...ran, stdout: ran.stdout.replaceAll(secret, '')}, place)
  }
})
