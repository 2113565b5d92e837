import {describe, expect, test} from 'vitest'
import type {Transport, WireError} from '../../../src/api/http/wire/transport.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import type {Change} from '../../support/operationRows.js'
import {answered, changeOf, pushChanges, remarks} from '../../support/operations.js'
import {instead, isChange, lost, page, reply} from '../answers.js'

const each = pushChanges.map((change) => [change.operation, change] as const)
const sentChanges = (sent: readonly {readonly method: string}[]) => sent.filter(({method}) => method !== 'GET')

/** Registrations whose effect the configuration shows; of a certificate it shows no more than that there is one. */
const settled = ['push.iosKey', 'push.android']
const isRegistration = ({operation}: Change) => [...settled, 'push.iosCertificate'].includes(operation)

/** The evidence of a change whose answer was lost. */
const tells: Readonly<Record<string, RegExp>> = {
  'push.register': /^run the same command again: it registers the same token/,
  'push.send': /before you send it again: roomctl push records$/,
  'push.modify': /^run the same command again: .*403 means that it has been sent/,
  'push.broadcast': /before you send it again: roomctl push records$/,
  'push.cancel': /^run the same command again: /,
  'push.iosKey': /^roomctl push show --application-id app-2$/,
  'push.iosCertificate': /^roomctl push show --application-id app-2$/,
  'push.android': /^roomctl push show --application-id app-2$/,
}

type Broken = () => WireError | ReturnType<typeof reply>
const ways: readonly (readonly [string, Broken])[] = [
  ['the connection was reset', () => lost('reset', 'maybe')],
  ['no answer came in time', () => lost('headers-timeout', 'maybe')],
  ['a gateway answered 502', () => page(502)],
  ['a gateway answered 504', () => page(504)],
  ['the service answered 500', () => reply('{"message":"broken"}', {status: 500})],
  ['a page came with 200', () => page(200)],
  ['the answer broke off', () => lost('broken', 'maybe')],
]

function service(answer: Broken, applied: boolean): Promise<Transport> {
  return instead(isChange, [answer], {applied})
}

/** The error object, after the usual messages of the change. */
function errorOf(change: Change, ran: {readonly stderr: string}) {
  return JSON.parse(remarks(change, ran)).error
}

describe.each(ways)('%s after the change was made', (_, answer) => {
  test('every change is sent once, and its outcome is reported', () =>
    everyCase(each, async (operation, change) => {
      const ran = await cli([...answered(change), '-o', 'json'], {transport: await service(answer, true)})
      expect(sentChanges(ran.sent)).toHaveLength(1)
      if (settled.includes(operation)) {
        expect(ran.exit).toBe(0)
        expect(JSON.parse(ran.stdout)).toMatchObject({application_id: 'app-2', verified: true})
        return
      }
      expect(ran.stdout).toBe('')
      expect([9, 10]).toContain(ran.exit)
      const error = errorOf(change, ran)
      expect(error).toMatchObject({
        outcome: 'unknown',
        message: expect.stringMatching(/ may have been /u),
        why: expect.stringContaining(
          'the request was sent but no definite answer came back, so it may have been carried out',
        ),
        try: expect.stringMatching(tells[operation] ?? /^$/),
      })
      if (change.creates) expect(error.retryable).toBe(false)
    }))
})

describe('an answer that was lost before the change was made', () => {
  test.each(each.filter(([, change]) => isRegistration(change)))(
    '%s is found not to be made after a reset',
    async (_, change) => {
      const transport = await service(() => lost('reset', 'maybe'), false)
      const ran = await cli([...answered(change), '-o', 'json'], {transport, onWait: async () => undefined})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(errorOf(change, ran)).toMatchObject({
        code: 'reset',
        outcome: 'none',
        why: 'the answer was lost, and the push configuration, read again for 3 s, does not show the change',
      })
    },
  )

  test.each(each.filter(([, change]) => isRegistration(change)))(
    '%s is not called unmade while the service may still work on it',
    async (operation, change) => {
      const transport = await service(() => lost('headers-timeout', 'maybe'), false)
      const ran = await cli([...answered(change), '-o', 'json'], {transport, onWait: async () => undefined})
      expect(errorOf(change, ran)).toMatchObject({
        outcome: 'unknown',
        try: expect.stringMatching(tells[operation] ?? /^$/),
      })
    },
  )
})

describe('an answer that says nothing', () => {
  const unshown = each.filter(([operation]) => operation !== 'push.send')

  const plain = {headers: {'content-type': 'text/plain'}}

  test.each(unshown)('%s is a success with 204, with nothing, and with a text that is not JSON', async (_, change) => {
    const answers = [reply('', {status: 204}), reply(''), reply('OK', plain), reply('[]'), reply('null')]
    for (const answer of answers) {
      const ran = await cli(answered(change), {transport: await service(() => answer, true)})
      expect([ran.exit, sentChanges(ran.sent).length]).toEqual([0, 1])
    }
  })

  test.each(unshown)(
    '%s is unknown with JSON that breaks off, and with a text called JSON',
    async (operation, change) => {
      for (const answer of [reply('{"status":"SUCC', plain), reply('{"status":"SUCC'), reply('OK')]) {
        const ran = await cli(answered(change), {transport: await service(() => answer, true)})
        // The configuration shows the effect of those that are settled.
        expect([ran.exit, sentChanges(ran.sent).length]).toEqual([settled.includes(operation) ? 0 : 10, 1])
      }
    },
  )

  test('of a send, which must name its transactions, says that it was sent', async () => {
    {
      const answer = reply('{"transactions":{}}', {status: 202})
      const change = changeOf('push.send')
      const ran = await cli([...answered(change), '-o', 'json'], {transport: await service(() => answer, true)})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(errorOf(change, ran)).toMatchObject({code: 'broken-answer', outcome: 'applied', retryable: false})
    }
  })
})

describe('a success with a status that the document does not show', () => {
  test.each(each)('%s says so once on stderr, and ends with 0', async (operation, change) => {
    const body =
      operation === 'push.send'
        ? '{"transactions":[{"recipient_id":"ann","status":"SUCCESS"},{"recipient_id":"ben","status":"SUCCESS"}]}'
        : '{}'
    const ran = await cli(answered(change), {transport: await service(() => reply(body, {status: 203}), true)})
    expect(ran.exit).toBe(0)
    const lines = ran.stderr.split('\n').filter((line) => line.includes('HTTP 203'))
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^warning: ${operation} was answered with HTTP 203; the document shows `)),
    ])
  })

  test('is reported once for the batches of one command', async () => {
    const transport: Transport = async ({body}) => {
      const {recipient_ids: ids} = JSON.parse(String(body))
      return reply(JSON.stringify({transactions: ids.map((id: string) => ({recipient_id: id, status: 'SUCCESS'}))}))
    }
    const ran = await cli('push send a b c --title T --body B --batch 1', {transport})
    expect(ran.exit).toBe(0)
    expect(ran.sent).toHaveLength(3)
    expect(ran.stderr.match(/HTTP 200/g)).toHaveLength(1)
  })
})
