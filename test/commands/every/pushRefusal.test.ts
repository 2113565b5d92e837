import {describe, expect, test} from 'vitest'
import type {OperationId} from '../../../src/api/contract/operations.js'
import {entryOf} from '../../contract/entry.js'
import {pushDocumented} from '../../contract/pushWitness.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {lines, pushChanges, remarks} from '../../support/operations.js'
import {always, instead, isChange, page, reply} from '../answers.js'

/** Those that HTTP has for every service, with its exits. */
const exits: Readonly<Record<number, number>> = {
  ...{400: 8, 401: 4, 403: 5, 404: 6, 405: 6, 409: 7, 410: 6, 412: 7, 413: 8, 418: 8, 422: 8, 423: 9, 429: 9},
  ...{500: 9, 502: 9, 503: 9, 504: 9},
}

/** The statuses of refusals that the document shows for each operation (push, Endpoints and Rules 4). */
const all = pushDocumented.map(
  ([id, {responses}]) => [id, lines[id as OperationId], responses.filter((status) => status >= 400)] as const,
)
const reads = ['push show --application-id app-1', 'push records']
/** Each operation with a third of the statuses, each status with a third of the operations. */
const rows = all.flatMap(([id, line], nth) =>
  Object.keys(exits)
    .filter((_, at) => (at + nth) % 3 === 0)
    .map((status) => [id, Number(status), line] as const),
)

const changeIn = (id: string) => pushChanges.find(({operation}) => operation === id)

/** A refusal of the service's own, without words. */
const refused = (status: number) => reply('{}', {status})

function refusing(operation: string, answer: () => ReturnType<typeof page>) {
  return instead(changeIn(operation) ? isChange : () => true, [answer])
}

describe('every status for every push operation', () => {
  test('is explained in three lines and ends with its exit code', () =>
    everyCase(rows, async (operation, status, line) => {
      const change = changeIn(operation)
      const ran = await cli(line, {transport: await refusing(operation, () => refused(status))})
      // The service has no refusal with these, so of a change they prove nothing.
      const isUnknown = change !== undefined && (status >= 500 || [418, 423].includes(status))
      expect(ran).toMatchObject({exit: isUnknown ? 10 : exits[status], stdout: ''})
      const text = remarks(change ?? {}, ran)
      expect(text).toMatch(/^error: (?:cannot |[^\n]+ may have been )[^\n]+\n {2}why: [^\n]+\n {2}try: [^\n]+\n$/)
      expect(text).not.toMatch(/\{(?!")\w+\}|undefined|null|\[object|asset|container|<h1>/)
    }))

  test.each(all)(
    '%s gives each documented refusal to programs as one object, with the words of the service',
    async (operation, line, documented) => {
      for (const status of documented) {
        const transport = await refusing(operation, () => reply('{"message":"so it is"}', {status}))
        const ran = await cli(`${line} -o json`, {transport})
        expect(ran).toMatchObject({exit: exits[status], stdout: ''})
        const {error, notes = [], ...others} = JSON.parse(ran.stderr)
        expect(error).toEqual({
          code: expect.any(String),
          message: expect.stringMatching(/^cannot .*: so it is$/),
          why: expect.any(String),
          service_message: 'so it is',
          try: expect.any(String),
          http_status: status,
          body: '{"message":"so it is"}',
          retryable: false,
          outcome: 'none',
          exit_code: exits[status],
        })
        // Messages besides a result, or before a failure for people, are in the object too.
        expect(notes.length > 0).toBe(operation === 'push.iosCertificate')
        expect(others).toEqual({})
        expect(ran.sent.filter((one) => one.method === entryOf(operation).method)).toHaveLength(1)
      }
    },
  )
})

describe('what a refusal of a push says', () => {
  test('the sandbox refuses requests that were sent already or are unknown', async () => {
    const sent = await cli('push cancel 7c9e6679-7425-40de-944b-e07fc1f90ae7 --application-id app-1 --yes')
    expect(sent).toMatchObject({exit: 5, stdout: ''})
    const unknown = await cli('push cancel 00000000-0000-4000-8000-000000000000 --application-id app-1 --yes')
    expect(unknown).toMatchObject({exit: 8, stdout: ''})
    expect(unknown.stderr).toContain('no request of this application has it, or the request is cancelled already')
  })

  test.each(all)(
    '404 and 405 of %s say that the route is assumed, whom to ask for it, and what sets it',
    async (operation, line) => {
      for (const status of [404, 405]) {
        const ran = await cli(line, {transport: await refusing(operation, () => page(status))})
        expect(ran.stderr).toContain("the document does not show this operation's method and path; ")
        expect(ran.stderr).toMatch(
          new RegExp(
            '\n {2}try: (?:check the application id; if it is right, )?ask the operator of the service for its method and path, ' +
              `and set them: roomctl config set route\\.${operation} 'METHOD /.*'[\n;]`,
          ),
        )
        expect(ran.sent.filter(({method}) => method === entryOf(operation).method).length).toBe(1)
      }
    },
  )

  test('401 names the login, and the scheme that the document does not show', async () => {
    const ran = await cli('push show --application-id app-1', {transport: always(() => page(401))})
    expect(ran).toMatchObject({exit: 4, stdout: ''})
    expect(ran.stderr).toContain('expects another scheme than the setting push.authScheme')
    expect(ran.stderr).toContain('\n  try: roomctl config login push\n')
  })
})

describe('an answer of the push service that is not what the document describes', () => {
  test.each(reads)('ends %s with 10 and one clear sentence', async (line) => {
    const answers = [page(200), reply(''), reply('all is well'), reply('{"package_name":'), reply('"text"'), reply('7')]
    for (const answer of answers) {
      const ran = await cli(line, {transport: always(() => answer)})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(ran.stderr).toMatch(/^error: cannot [^\n]+\n {2}why: [^\n]+\n {2}try: [^\n]+\n$/)
    }
  })

  test.each([
    ['push show --application-id app-1', {fcm_server_key: 7}, 'the answer.fcm_server_key'],
    ['push show --application-id app-1', {certificate_expiry_date: {}}, 'the answer.certificate_expiry_date'],
    ['push send ann --title T --body B', {transactions: 'none'}, 'the answer.transactions'],
    ['push send ann --title T --body B', {transactions: [{recipient_id: 7}]}, 'the answer.transactions.0.recipient_id'],
  ])('%s names the wrong member of %j', async (line, body, where) => {
    const ran = await cli(line, {transport: always(() => reply(JSON.stringify(body), {status: 202}))})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain(`why: ${where} is missing or has another type than the document shows`)
  })

  test('may lack unregistered members, and the records', async () => {
    const none = {transport: always(() => reply('', {status: 204}))}
    expect(await cli('push show --application-id app-1 -o json', none)).toMatchObject({exit: 0, stdout: 'null\n'})
    expect(await cli('push records -o json', none)).toMatchObject({exit: 0, stdout: '[]\n', stderr: ''})
  })
})
