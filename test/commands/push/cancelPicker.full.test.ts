import {appendFileSync, mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {freshPlace, shell} from '../../stories/place.js'
import {onTerminal} from '../../support/pty.js'

describe('on a real terminal', () => {
  test('a request is chosen with the arrows, and cancelled after a yes', async () => {
    const place = freshPlace({ROOMCTL_PROFILE: 'sandbox', ROOMCTL_APPLICATION_ID: 'app-1', TERM: 'xterm-256color'})
    const schedule = (title: string, at: string) =>
      `roomctl push broadcast --title ${title} --body x --at ${at} --confirm app-1 -q`
    const {stdout} = await shell(place, `${schedule('first', '+2h')}; ${schedule('second', '+30h')}`)
    const [first = '', second = ''] = stdout.trim().split('\n')
    const run = await onTerminal({
      command: ['roomctl', 'push', 'cancel'],
      env: place.env,
      cwd: place.dir,
      columns: 140,
      steps: [
        {expect: second, send: '\u001b[B\r'},
        {expect: `Cancel notification ${second} of application app-1`, send: 'y\r'},
      ],
    })
    expect(run).toMatchObject({exit: 0, timed_out: false, waiting: null})
    expect(run.text).toContain('Which requests (as last set from this machine) on sandbox (built in)?')
    expect(run.text).toContain(`cancelled notification ${second} of application app-1`)
    const left = await onTerminal({
      command: ['roomctl', 'push', 'cancel', '--yes'],
      env: place.env,
      cwd: place.dir,
      columns: 140,
      steps: [{expect: first, send: '\r'}],
    })
    expect(left).toMatchObject({exit: 0, timed_out: false})
    expect(left.text).not.toContain(second)
  })

  test('Ctrl-C at the choice sends nothing and ends with 130', async () => {
    const place = freshPlace({ROOMCTL_PROFILE: 'sandbox', ROOMCTL_APPLICATION_ID: 'app-1', TERM: 'xterm-256color'})
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)
    mkdirSync(join(place.dir, 'state'))
    appendFileSync(
      join(place.dir, 'state/journal.ndjson'),
      `${JSON.stringify({
        at: new Date().toISOString(),
        profile: 'sandbox',
        operation: 'push.broadcast',
        targets: {
          request_uuid: 'u-1',
          application_id: 'app-1',
          dispatch_type: 'SCHEDULED',
          destination: ['ANDROID'],
          dispatch_date: day,
        },
        outcome: 'done',
      })}\n`,
    )
    const run = await onTerminal({
      command: ['roomctl', 'push', 'cancel', '--yes', '--debug'],
      env: place.env,
      cwd: place.dir,
      columns: 140,
      steps: [{expect: 'u-1', send: '\u0003'}],
    })
    expect(run).toMatchObject({exit: 130, timed_out: false})
    expect(run.text).not.toContain('POST ')
  })
})
