import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import {cli} from '../../support/cli.js'
import {answered, changeOf, pushChanges, remarks} from '../../support/operations.js'
import {instead, isChange, reply} from '../answers.js'

const each = pushChanges.map((change) => [change.operation, change] as const)
const sentChanges = (sent: readonly {readonly method: string}[]) => sent.filter(({method}) => method !== 'GET')

/** Registrations whose effect the configuration shows. */
const settled = ['push.iosKey', 'push.android']

function service(answer: ReturnType<typeof reply>): Promise<Transport> {
  return instead(isChange, [() => answer], {applied: true})
}

describe('an answer that says nothing', () => {
  const unshown = each.filter(([operation]) => operation !== 'push.send')

  const plain = {headers: {'content-type': 'text/plain'}}

  test.each(unshown)('%s is a success with 204, with nothing, and with a text that is not JSON', async (_, change) => {
    const answers = [reply('', {status: 204}), reply(''), reply('OK', plain), reply('[]'), reply('null')]
    for (const answer of answers) {
      const ran = await cli(answered(change), {transport: await service(answer)})
      expect([ran.exit, sentChanges(ran.sent).length]).toEqual([0, 1])
    }
  })

  test.each(unshown)(
    '%s is unknown with JSON that breaks off, and with a text called JSON',
    async (operation, change) => {
      for (const answer of [reply('{"status":"SUCC', plain), reply('{"status":"SUCC'), reply('OK')]) {
        const ran = await cli(answered(change), {transport: await service(answer)})
        // The configuration shows the effect of those that are settled.
        expect([ran.exit, sentChanges(ran.sent).length]).toEqual([settled.includes(operation) ? 0 : 10, 1])
      }
    },
  )

  test('of a send, which must name its transactions, says that it was sent', async () => {
    const change = changeOf('push.send')
    const transport = await service(reply('{"transactions":{}}', {status: 202}))
    const ran = await cli([...answered(change), '-o', 'json'], {transport})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    const {error} = JSON.parse(remarks(change, ran))
    expect(error).toMatchObject({code: 'broken-answer', outcome: 'applied', retryable: false})
  })
})

describe('a success with a status that the document does not show', () => {
  test.each(each)('%s says so once on stderr, and ends with 0', async (operation, change) => {
    const body =
      operation === 'push.send'
        ? '{"transactions":[{"recipient_id":"ann","status":"SUCCESS"},{"recipient_id":"ben","status":"SUCCESS"}]}'
        : '{}'
    const ran = await cli(answered(change), {transport: await service(reply(body, {status: 203}))})
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
