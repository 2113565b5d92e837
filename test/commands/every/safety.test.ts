import {describe, expect, test} from 'vitest'
import {cli, type Ran} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {changes, named, withYes} from '../../support/operations.js'
import {readyFor, sandboxOf, terminal} from '../answers.js'
import {type Live, live} from '../live.js'

const naming = changes.filter(({word}) => word).map((change) => [change.operation, change] as const)
const changesOf = ({arrived}: Live) => arrived.filter((request) => !request.startsWith('GET '))
const asking = changes.filter(({asks}) => asks).map((change) => [change.operation, change] as const)

/** A command that is not confirmed only looks whether its room exists. */
function withoutReads(ran: Ran): Ran {
  return {...ran, sent: ran.sent.filter(({method}) => method !== 'GET')}
}

describe('a change that asks', () => {
  test.each(asking)('%s sends nothing without a terminal, and names the flag', async (_, {line}) => {
    const ran = await cli(line)
    expect(withoutReads(ran)).toMatchObject({exit: 13, stdout: '', asked: [], sent: []})
    expect(ran.stderr).toMatch(
      /^error: cannot .*: confirmation required; nothing was sent\n {2}why: .*\n {2}try: add --yes\n$/,
    )
  })

  test.each(asking)('%s sends nothing with --no-input on a terminal', async (_, {line}) => {
    expect(withoutReads(await cli([...line, '--no-input'], terminal(80)))).toMatchObject({
      exit: 13,
      asked: [],
      sent: [],
    })
  })

  test.each(asking)('%s does not ask under a machine format', async (_, {line}) => {
    const ran = await cli([...line, '-o', 'json'], terminal(80))
    expect(withoutReads(ran)).toMatchObject({exit: 13, stdout: '', asked: [], sent: []})
    expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'unconfirmed', try: 'add --yes', exit_code: 13})
  })

  test.each(asking)('%s is not made when it is declined', async (operation, {line}) => {
    const answer = operation === 'room.delete' ? 'another name' : false
    const ran = await cli(line, terminal(80, answer))
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(ran.asked).toHaveLength(operation === 'room.delete' ? 3 : 1)
    expect(ran.stderr).toMatch(/(?:^|\n)cancelled; nothing was sent\n$/)
    expect(ran.stderr).not.toContain('error')
    expect(ran.sent.filter(({method}) => method !== 'GET')).toEqual([])
  })

  test.each(asking)(
    '%s is made when it is answered, and reads the room once',
    async (operation, {line, method, path, body, looksUp}) => {
      const answer = operation === 'room.delete' ? 'Town hall' : true
      const ran = await cli(line, terminal(80, answer))
      expect(ran).toMatchObject({exit: 0, stderr: ''})
      expect(ran.sent.map((request) => request.method)).toEqual([...(looksUp ? ['GET'] : []), method])
      expect(ran.sent.at(-1)).toMatchObject({method, path, body})
    },
  )
})

describe('a change that asks for a word', () => {
  test.each(naming)('%s sends nothing without a terminal, and names the word', async (_, {line, word}) => {
    for (const more of [[], ['--no-input'], ['-o', 'json']]) {
      const ran = await cli([...line, ...more], more.length > 0 ? terminal(80) : {})
      expect(ran).toMatchObject({exit: 13, stdout: '', asked: [], sent: []})
      expect(ran.stderr).toContain(`add --confirm ${word}: the id of the application`)
    }
  })

  test.each(naming)('%s takes no --yes for it, and no other word', async (_, {line}) => {
    expect((await cli([...line, '--yes'])).exit).not.toBe(0)
    const other = await cli([...line, '--confirm', 'app-9'], terminal(80))
    expect(other).toMatchObject({exit: 13, stdout: '', asked: [], sent: []})
    expect(other.stderr).toContain('  why: --confirm must be app-1 here\n')
  })

  test.each(naming)(
    '%s is made when the word is typed, and not for yes',
    async (_, {line, word, method, path, body}) => {
      const declined = await cli(line, terminal(80, 'yes'))
      expect(declined).toMatchObject({exit: 13, stdout: '', sent: []})
      const ran = await cli(line, terminal(80, word))
      expect(ran).toMatchObject({exit: 0, sent: [{method, path, body}]})
      expect(ran.asked).toHaveLength(1)
      expect(ran.asked[0]).toContain(`Type "${word}" to confirm:`)
    },
  )
})

describe('a protected profile', () => {
  test('is not answered by --yes, and names the flag', () =>
    everyCase(named, async (_, change) => {
      const service = await live({protected: true})
      const ran = await service.cli(withYes(change))
      expect(ran).toMatchObject({exit: 13, stdout: '', asked: []})
      expect(ran.stderr).toContain('  try: add --confirm live: the profile is protected\n')
      expect(changesOf(service)).toEqual([])
    }))

  test('is answered by --confirm with its name', () =>
    everyCase(named, async (operation, {line, method, path}) => {
      const service = await live({protected: true}, sandboxOf(await readyFor(operation)))
      const ran = await service.cli([...line, '--confirm', 'live'])
      expect(ran).toMatchObject({exit: 0, asked: []})
      expect(changesOf(service)).toEqual([`${method} ${path}`])
    }))

  test('is not answered by another name', () =>
    everyCase(named, async (_, change) => {
      const service = await live({protected: true})
      const ran = await service.cli([...withYes(change), '--confirm', 'staging'], terminal(80))
      expect(ran).toMatchObject({exit: 13, stdout: '', asked: []})
      expect(ran.stderr).toMatch(/ {2}why: --confirm (?:names another profile than live|must be live here)\n/)
      expect(service.arrived).toEqual([])
    }))

  test('asks on a terminal for its name before every change', () =>
    everyCase(named, async (operation, {line, method, path}) => {
      const service = await live({protected: true}, sandboxOf(await readyFor(operation)))
      const declined = await service.cli(line, terminal(80, 'yes'))
      expect(declined.exit).toBe(13)
      expect(declined.asked).toHaveLength(3)
      expect(declined.asked[0]).toContain('Profile live is protected.\nType "live" to confirm:')
      expect(changesOf(service)).toEqual([])
      expect((await service.cli(line, terminal(80, 'live'))).exit).toBe(0)
      expect(changesOf(service)).toEqual([`${method} ${path}`])
    }))

  test('asks once for many rooms', async () => {
    const service = await live({protected: true})
    const ran = await service.cli('room end r-standup r-support', terminal(80, 'live'))
    expect(ran.exit).toBe(0)
    const host = new URL(service.origin).host
    expect(ran.asked).toEqual([`End 2 rooms on live (${host})? Profile live is protected.\nType "live" to confirm:`])
  })
})

describe('only flags and people answer', () => {
  const env = {
    ROOMCTL_YES: '1',
    ROOMCTL_CONFIRM: 'live',
    ROOMCTL_FORCE: '1',
    ROOMCTL_PROTECTED: 'false',
    ROOMCTL_READONLY: 'false',
    ROOMCTL_READ_ONLY: 'false',
    CI: '1',
  }

  test.each(asking)('no environment variable confirms %s', async (_, {line}) => {
    expect(withoutReads(await cli(line, {env}))).toMatchObject({exit: 13, sent: []})
  })

  test('no environment variable unlocks a protected or a read-only profile', async () => {
    const locked = await live({protected: true})
    expect((await locked.cli('room end r-standup --yes', {env})).exit).toBe(13)
    const closed = await live({readOnly: true})
    expect((await closed.cli('room end r-standup --yes', {env})).exit).toBe(13)
    expect([...locked.arrived, ...closed.arrived]).toEqual([])
  })

  test('a --confirm that names another profile stops a change on every profile', async () => {
    const ran = await cli('room end r-standup --yes --confirm live')
    expect(withoutReads(ran)).toMatchObject({exit: 13, sent: []})
    expect(ran.stderr).toContain('--confirm names another profile than sandbox')
  })

  describe('--confirm with the text that a question expects', () => {
    const two = ['room', 'end', 'r-standup', 'r-support']
    const several = [
      [two, '2'],
      [['attendee', 'block', 'r-standup', 'ben', '김민준'], '2'],
      [['room', 'delete', 'r-townhall'], 'Town hall'],
      [['room', 'delete', 'r-townhall'], 'r-townhall'],
      [['room', 'delete', '--match', 'Town*'], '1'],
    ] as const

    test('answers it, off a terminal and on one, and shows nothing to a script', () =>
      everyCase(
        several.map(([line, text]) => [[...line, text].join(' '), [...line, '--confirm', text]] as const),
        async (_, words) => {
          for (const circumstances of [{}, terminal(80)]) {
            const ran = await cli(words, circumstances)
            expect(ran).toMatchObject({exit: 0, asked: []})
            expect(ran.sent.some(({method}) => method !== 'GET')).toBe(true)
          }
          expect(await cli([...words, '-o', 'json'])).toMatchObject({exit: 0, stderr: ''})
        },
      ))

    test('is named if it is another one, and no change is sent, also with --yes', () =>
      everyCase(
        several.map(([line, text]) => [[...line, text].join(' '), line, text] as const),
        async (_, line, text) => {
          for (const other of ['3', 'sandbox', 'yes', '', 'TOWN HALL']) {
            const ran = await cli([...line, '--confirm', other])
            expect(ran).toMatchObject({exit: 13, stdout: '', asked: []})
            expect(ran.stderr).toContain('cancelled; nothing was sent\n  why: --confirm must be ')
            expect(ran.stderr).toContain(`"${text}"`)
            expect(ran.sent.filter(({method}) => method !== 'GET')).toEqual([])
          }
          const both = await cli([...line, '--yes', '--confirm', '3'])
          expect(both).toMatchObject({exit: 13, stdout: ''})
          expect(both.sent.filter(({method}) => method !== 'GET')).toEqual([])
        },
      ))

    test('does not answer for a protected profile', async () => {
      const service = await live({protected: true})
      const ran = await service.cli([...two, '--confirm', '2'], terminal(80))
      expect(ran).toMatchObject({exit: 13, stdout: '', asked: []})
      expect(service.arrived).toEqual([])
    })
  })

  test('a --confirm that names the profile does not stand for --yes where nothing is protected', async () => {
    expect(withoutReads(await cli('room end r-standup --confirm sandbox'))).toMatchObject({exit: 13, sent: []})
  })

  test('Ctrl-C at a question ends with 130 and sends no change', async () => {
    const {Interrupted} = await import('../../../src/terminal/questions.js')
    const interrupted = Promise.reject(new Interrupted())
    interrupted.catch(() => undefined)
    const ran = await cli('room end r-standup', terminal(80, interrupted))
    expect(ran).toMatchObject({exit: 130, stdout: ''})
    expect(ran.sent.map(({method}) => method)).toEqual(['GET'])
  })
})

describe('the question shows the change', () => {
  test('name, state and who is present before an end', async () => {
    const {asked} = await cli('room end r-standup', terminal(80, true))
    expect(asked).toEqual([
      'End room r-standup "Daily standup" (MEETING, 3 present: ann, ben, 김민준) on sandbox (built in)?',
    ])
  })

  test('the room too when --as names a user, though the requester needs no read', async () => {
    const {asked, sent} = await cli('room end r-standup --as ann', terminal(80, true))
    expect(asked).toEqual([
      'End room r-standup "Daily standup" (MEETING, 3 present: ann, ben, 김민준) on sandbox (built in)?',
    ])
    expect(sent.map(({method}) => method)).toEqual(['GET', 'POST'])
  })

  test('the name to type before a deletion', async () => {
    const {asked} = await cli('room delete r-retro', terminal(80, 'Sprint retro'))
    expect(asked).toEqual([
      'Delete room r-retro "Sprint retro" (ENDED, nobody present) on sandbox (built in)?\nType "Sprint retro" or "r-retro" to confirm:',
    ])
  })

  test('who is blocked, and where', async () => {
    const {asked} = await cli('attendee block r-standup ben', terminal(80, true))
    expect(asked).toEqual([
      'Block ben in room r-standup "Daily standup" (MEETING, 3 present: ann, ben, 김민준) on sandbox (built in)?',
    ])
  })

  test('the count to type when several people are blocked', async () => {
    const ran = await cli('attendee block r-standup ben 김민준', terminal(80, '2'))
    expect(ran.exit).toBe(0)
    expect(ran.asked[0]).toContain('Block ben, 김민준 in room r-standup')
    expect(ran.asked[0]).toContain('Type "2" to confirm:')
  })

  test('a room without a host is refused before anybody is asked', async () => {
    expect(await cli('room end r-first', terminal(80))).toMatchObject({exit: 7, asked: []})
  })
})
