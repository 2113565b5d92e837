import {readdirSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {expect, test} from 'vitest'
import type {Step} from '../../scripts/demo/day.js'
import {play} from '../../scripts/demo/play.js'
import {root} from '../support/repository.js'
import {freshPlace, shell} from './place.js'

test('npm run demo plays a whole day, ends with 0 and leaves nothing behind', {timeout: 240_000}, async () => {
  const place = freshPlace()
  // A setting of the person's own plays no part in the demo.
  const env = {ROOT: root, TMPDIR: place.dir, ROOMCTL_ROOM_URL: 'http://127.0.0.1:9', ROOMCTL_OUTPUT: 'json'}
  const ran = await shell(place, 'cd "$ROOT" && npm run --silent demo', {env})
  expect(ran.exit, ran.stdout.slice(-2000)).toBe(0)
  for (const command of [
    'room create',
    'attendee block',
    'record start',
    'room end',
    'explain',
    'asset sync',
    'asset uploads',
    'asset download',
    'push inspect',
    'push ios',
    'push show',
    'push register',
    'push send',
    'push broadcast',
    'push modify',
    'push cancel',
    'push records',
    'api room',
    'config list',
  ]) {
    expect(ran.stdout).toMatch(new RegExp(`^\\$ .*roomctl ${command}.*\\n(?!\\n)`, 'm'))
  }
  expect(ran.stdout).toMatch(/^created room r-\w+ "Design review" as ann$/m)
  expect(ran.stdout).toMatch(/carl left; ann is the host now/)
  expect(ran.stdout).toMatch(/it is ENDED, only a MEETING room can be ended \(ER001\)/)
  expect(ran.stdout).toMatch(/^level\d\.bundle +bundle .* done, from \d+\.\d [KM]iB .*$/m)
  expect(ran.stdout).toMatch(/^nothing uploaded in .*, 4 unchanged$/m)
  expect(ran.stdout).toMatch(
    /^level1\.bundle: equal\nlevel2\.bundle: equal\nlevel3\.bundle: equal\n\n\$ roomctl sandbox reset/m,
  )
  expect(ran.stdout).toMatch(/error: its certificate is not for push: Apple Distribution: Example Ltd/)
  expect(ran.stdout).toMatch(/^registered the iOS certificate for com\.example\.shop, .* \(read back: equal\)$/m)
  expect(ran.stdout).toMatch(/^cancelled notification [-0-9a-f]{36} of application app-1$/m)
  expect(ran.stdout).not.toMatch(/a-device-token-of-gina\b(?!")|apns_certificate_password=(?!\*\*\*)/)
  expect(ran.stdout).not.toMatch(/\{room\}|\{uuid\}|undefined|should not/)
  expect(readdirSync(place.dir).filter((name) => name.startsWith('roomctl-demo-'))).toEqual([])
  expect(readdirSync(place.dir)).not.toContain('.config')
})

test.each<[string, Step]>([
  ['ends with another exit', {type: 'roomctl room show r-none -p sandbox', exit: 7}],
  ['succeeds unexpectedly', {type: 'roomctl --version', exit: 7}],
  [
    'does not tell what the next one needs',
    {type: 'roomctl --version', find: {name: 'room', pattern: /created (\S+)/}},
  ],
])('the demo ends with 1 at the step that %s', async (_how, step) => {
  const printed: string[] = []
  const steps = [step, {type: 'roomctl explain RE001'}]
  const exit = await play([{heading: 'A day that goes wrong', steps}], {
    root,
    inColour: false,
    print: (text) => printed.push(text),
  })
  expect(exit).toBe(1)
  expect(printed.at(-1)).toMatch(/^the demo ends here: /)
  expect(printed.join('\n')).not.toContain('RE001')
})

test.each<[string, number, string[]]>([
  ['in their order', 0, ['first', 'second']],
  ['up to the one that fails', 3, ['first']],
])('chapters that are played at the same time are printed %s', async (_how, exit, lines) => {
  const printed: string[] = []
  const says = (output: string, ms: number, code: number) => async () => {
    await setTimeout(ms)
    return {output: `${output}\n`, exit: code}
  }
  const chapters = [
    {heading: 'Slow', steps: [{type: 'slow', play: says('first', 300, exit)}]},
    {heading: 'Quick', isFresh: true as const, steps: [{type: 'quick', play: says('second', 0, 0)}]},
  ]
  const print = (text: string) => printed.push(text)
  expect(await play(chapters, {root, inColour: false, print})).toBe(exit === 0 ? 0 : 1)
  expect(printed.filter((text) => /^(?:first|second)\n$/u.test(text)).map((text) => text.trim())).toEqual(lines)
})
