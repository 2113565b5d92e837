import {describe, expect, test} from 'vitest'
import type {Transport, WireError} from '../../../src/api/http/wire/transport.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import type {Change} from '../../support/operationRows.js'
import {answered, changeOf, named, namedEnveloped, pushChanges, remarks} from '../../support/operations.js'
import {instead, isChange, lost, page, readyFor, refusal, reply, success} from '../answers.js'

const enveloped = namedEnveloped.map(([, change]) => change)
const isSettled = ({settles}: Change) => settles === true
/** Those whose room or configuration is read before, too: only there an effect that is shown proves the change. */
const isProven = (change: Change) =>
  (isSettled(change) && change.looksUp === true) || ['push.iosKey', 'push.android'].includes(change.operation)
const ofPush = /push (?:records|show --application-id app-2)$|^run the same command again: /u
const each = (list: readonly Change[]) => list.map((change) => [change.operation, change] as const)

type Broken = () => WireError | ReturnType<typeof reply>

async function service(change: Change, answer: Broken, applied: boolean): Promise<Transport> {
  return instead(isChange, [answer], {applied, store: await readyFor(change.operation)})
}

const sentChanges = (sent: readonly {readonly method: string}[]) => sent.filter(({method}) => method !== 'GET')

describe('an answer that was lost after the change was made', () => {
  const ways: readonly (readonly [string, Broken])[] = [
    ['the connection was reset', () => lost('reset', 'maybe')],
    ['no answer came in time', () => lost('headers-timeout', 'maybe')],
    ['the answer broke off', () => lost('broken', 'maybe')],
    ['a gateway answered 502', () => page(502)],
    ['a gateway answered 504', () => page(504)],
    ['the service answered 500 without a code', () => page(500)],
    ['a page came instead of an envelope', () => page(200)],
    ['nothing came instead of an envelope', () => reply('')],
    ['the envelope was cut', () => reply('{"status":"SUCC')],
  ]

  describe.each(ways)('%s', (way, answer) => {
    // No body is an answer of services without an envelope.
    const met = way.startsWith('nothing came') ? enveloped : [...enveloped, ...pushChanges]

    test('is reported as made where a read proves it', () =>
      everyCase(each(met.filter(isProven)), async (__, change) => {
        const ran = await cli(answered(change), {transport: await service(change, answer, true)})
        expect([ran.exit, remarks(change, ran)]).toEqual([0, ''])
        expect(sentChanges(ran.sent)).toHaveLength(1)
        expect(ran.sent.at(-1)?.method).toBe('GET')
      }))

    test('stays unknown where no read can prove it', () =>
      everyCase(each(met.filter((change) => !isProven(change))), async (__, change) => {
        const ran = await cli([...answered(change), '-o', 'json'], {transport: await service(change, answer, true)})
        expect(ran.stdout).toBe('')
        expect(sentChanges(ran.sent)).toHaveLength(1)
        const {error} = JSON.parse(remarks(change, ran))
        expect(error).toMatchObject({outcome: 'unknown', message: expect.stringMatching(/ may have been /u)})
        expect(error.why).toContain('no definite answer came back, so it may have been carried out')
        expect([9, 10]).toContain(ran.exit)
        if (change.plain) expect(error.try).toMatch(ofPush)
        else expect(error.try).toContain(change.evidence ?? '')
        expect(error.try).not.toBeNull()
        if (change.creates) expect(error.retryable).toBe(false)
      }))
  })
})

describe('an answer that was lost before the change was made', () => {
  test.each(each(enveloped.filter(isSettled)))('%s is found not to be made after a reset', async (_, change) => {
    const ran = await cli([...answered(change), '-o', 'json'], {
      transport: await service(change, () => lost('reset', 'maybe'), false),
      onWait: timePasses,
    })
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'reset',
      outcome: 'none',
      exit_code: 10,
      http_status: null,
      body: null,
    })
    expect(sentChanges(ran.sent)).toHaveLength(1)
  })

  test.each(each(enveloped.filter(isSettled)))(
    '%s is not called unmade while the service may still work on it',
    async (_, change) => {
      const ran = await cli([...answered(change), '-o', 'json'], {
        transport: await service(change, () => lost('headers-timeout', 'maybe'), false),
        onWait: timePasses,
      })
      expect(ran.exit).toBe(10)
      const {error} = JSON.parse(ran.stderr)
      expect(error).toMatchObject({code: 'headers-timeout', outcome: 'unknown'})
      expect(error.try).toContain(change.evidence)
    },
  )

  test('is sent again where it certainly did not arrive, and fails if it never does', () =>
    everyCase(named, async (_, change) => {
      const ran = await cli([...answered(change), '-o', 'json'], {
        transport: await service(change, () => lost('refused', 'no'), false),
      })
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(sentChanges(ran.sent)).toHaveLength(3)
      expect(JSON.parse(remarks(change, ran)).error).toMatchObject({code: 'refused', outcome: 'none', retryable: true})
    }))

  test('is made once where it arrives at the second attempt', () =>
    everyCase(named, async (operation, change) => {
      const transport = await instead(isChange, [() => lost('reset', 'no'), nothingInstead], {
        store: await readyFor(operation),
      })
      const ran = await cli(answered(change), {transport})
      expect([ran.exit, remarks(change, ran)]).toEqual([0, ''])
      expect(sentChanges(ran.sent)).toHaveLength(2)
    }))

  test('is not sent again with --retries 0', () =>
    everyCase(named, async (_, change) => {
      const transport = await service(change, () => lost('refused', 'no'), false)
      const ran = await cli([...answered(change), '--retries', '0'], {transport})
      expect(ran.exit).toBe(10)
      expect(sentChanges(ran.sent)).toHaveLength(1)
    }))
})

describe('settling', () => {
  test('says unknown when the room cannot be read either', async () => {
    const transport: Transport = (request) => Promise.reject(lost('reset', request.method === 'GET' ? 'no' : 'maybe'))
    const ran = await cli('room end r-standup --yes --as ann -o json', {transport})
    expect(ran.exit).toBe(10)
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      outcome: 'unknown',
      message: 'room r-standup may have been ended: the answer was lost',
      why: 'the connection failed (reset); the request was sent but no definite answer came back, so it may have been carried out',
      try: 'roomctl room show r-standup',
    })
  })

  test('says nothing of a room that this run did not see, and that is not there now', async () => {
    const transport = await instead(isChange, [() => lost('reset', 'maybe')], {applied: true})
    const ran = await cli('room delete TYPO --as u1 --yes', {transport})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain('error: room TYPO may have been deleted: the answer was lost\n')
    expect(ran.stderr).toContain('; room TYPO is not there now; this run did not see it before\n')
  })

  test('says of a room that had ended before that it did', async () => {
    const store = await readyFor('room.end')
    await cli('room end r-standup --yes', {transport: await instead(() => false, [], {store})})
    const transport = await instead(isChange, [() => lost('reset', 'maybe')], {applied: true, store})
    const ran = await cli('room end r-standup --yes', {transport, onWait: timePasses})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain('why: the answer was lost; room r-standup is ENDED now, as it was before\n')
  })

  test('takes a room that is gone for a deletion, and for nothing else', async () => {
    const gone = await instead(isChange, [() => lost('reset', 'maybe')], {applied: true})
    expect((await cli('room delete r-townhall --yes', {transport: gone})).exit).toBe(0)
    const end: Transport = async (request) => {
      if (isChange(request)) throw lost('reset', 'maybe')
      return refusal('CE002')
    }
    const ran = await cli('room end r-standup --yes --as ann -o json', {transport: end})
    expect(JSON.parse(ran.stderr).error.outcome).toBe('unknown')
  })

  test('names the lost answer to people, and the command that shows the outcome', async () => {
    const transport = await instead(isChange, [() => lost('reset', 'maybe')], {applied: true})
    const ran = await cli(changeOf('room.create').line, {transport})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toBe(
      'error: room Review may have been created: the answer was lost\n' +
        '  why: the connection failed (reset); the request was sent but no definite answer came back, so it may have been carried out\n' +
        '  try: before you create it again: roomctl room list\n',
    )
  })

  test('an answer of SUCCESS without a required member says that the change was made', async () => {
    for (const data of [undefined, {}, {room_id: 7}, []]) {
      const transport = await instead(isChange, [() => success(data)])
      const ran = await cli([...changeOf('room.create').line, '-o', 'json'], {transport})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'broken-answer', outcome: 'applied'})
      expect(sentChanges(ran.sent)).toHaveLength(1)
    }
  })
})

describe('a read', () => {
  const temporary: readonly (readonly [string, Broken])[] = [
    ['a reset', () => lost('reset', 'maybe')],
    ['a refused connection', () => lost('refused', 'no')],
    ['a connection that did not stand in time', () => lost('connect-timeout', 'no')],
    ['429', () => page(429)],
    ['502', () => page(502)],
    ['503', () => page(503)],
    ['504', () => page(504)],
    ['CE101', () => refusal('CE101')],
  ]

  test.each(temporary)(
    'gives up after two more attempts at %s, and says that nothing was changed',
    async (_, answer) => {
      const ran = await cli('room list -o json', {transport: await instead(() => true, [answer])})
      expect(ran.stdout).toBe('')
      expect(ran.sent).toHaveLength(3)
      const {error} = JSON.parse(ran.stderr)
      expect(error).toMatchObject({outcome: 'none', retryable: true, exit_code: ran.exit})
      expect([9, 10]).toContain(ran.exit)
    },
  )

  test('is not sent again when the service is being maintained, or refuses it', async () => {
    for (const code of ['CE100', 'CE200', 'CE002', 'X999']) {
      const ran = await cli('room list', {transport: await instead(() => true, [() => refusal(code)])})
      expect(ran.exit).not.toBe(0)
      expect(ran.sent).toHaveLength(1)
    }
  })
})

async function timePasses(): Promise<void> {
  // And nothing else happens.
}

/** The sandbox answers this one itself. */
function nothingInstead(): undefined {
  return undefined
}
