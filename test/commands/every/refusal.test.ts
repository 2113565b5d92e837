import {stripVTControlCharacters} from 'node:util'
import {describe, expect, test} from 'vitest'
import type {OperationId} from '../../../src/api/contract/operations.js'
import {codesOf, documented} from '../../contract/witness.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {changes, lines} from '../../support/operations.js'
import {instead, isChange, page, readyFor, refusal, terminal} from '../answers.js'

const common = ['CE001', 'CE002', 'CE003', 'CE100', 'CE101', 'CE200']

/** The exits of the documented codes (docs/exit-codes.md). */
const exits: Readonly<Record<string, number>> = {
  CE001: 8,
  CE002: 6,
  CE003: 5,
  CE100: 9,
  CE101: 9,
  CE200: 4,
  U001: 7,
  D001: 7,
  T001: 5,
  T002: 7,
  ER001: 7,
  AA001: 8,
  AA002: 7,
  BR001: 7,
  BA001: 7,
  DH001: 7,
  RE001: 7,
  FAILED_PRECONDITION: 7,
}

/** The codes that the tables of the document name for each operation, and those that can come from all (room, Errors). */
const everyCode = documented.flatMap(([id, operation]) =>
  [...new Set([...common, ...codesOf(operation), operation.sampleCode])].flatMap((code) =>
    code === undefined || exits[code] === undefined ? [] : [[id, code, lines[id as OperationId]] as const],
  ),
)

/** Every code of some operation, and every operation with some codes. */
const everyThird = everyCode.filter((_, at) => at % 3 === 0)

async function refusing(operation: string, answer: () => ReturnType<typeof page>) {
  const wanted = changes.some((change) => change.operation === operation) ? isChange : () => true
  return instead(wanted, [answer], {store: await readyFor(operation)})
}

/** A room that is not full does not explain the code of a full one: the service's message stands alone. */
function isUnexplained(operation: string, code: string): boolean {
  return operation === 'attendee.token' && code === 'CE001'
}

describe('every code for every operation', () => {
  test('is explained in three lines and ends with its exit code', () =>
    everyCase(everyCode, async (operation, code, line) => {
      const ran = await cli(line, {transport: await refusing(operation, () => refusal(code))})
      expect(ran).toMatchObject({exit: exits[code], stdout: ''})
      if (isUnexplained(operation, code))
        expect(ran.stderr).toMatch(/^error: cannot [^\n]+: the service said no [^\n]+\n$/)
      else expect(ran.stderr).toMatch(/^error: cannot [^\n]+\n {2}why: [^\n]+\n {2}try: [^\n]+\n$/)
      expect(ran.stderr.split('\n')[0]).toContain(`(${code})`)
      expect(ran.stderr).not.toMatch(/\{\w+\}|undefined|null|\[object/)
    }))

  test('is one object on stderr for programs', () =>
    everyCase(everyThird, async (operation, code, line) => {
      const transport = await refusing(operation, () => refusal(code))
      const ran = await cli(`${line} -o json`, {transport})
      expect(ran).toMatchObject({exit: exits[code], stdout: ''})
      expect(ran.stderr.trimEnd()).not.toContain('\n')
      expect(JSON.parse(ran.stderr)).toEqual({
        error: {
          code,
          message: expect.stringMatching(/^cannot /),
          why: isUnexplained(operation, code) ? null : expect.any(String),
          service_message: 'the service said no',
          try: isUnexplained(operation, code) ? null : expect.any(String),
          http_status: 200,
          body: null,
          retryable: code === 'CE100' || code === 'CE101',
          outcome: 'none',
          exit_code: exits[code],
        },
      })
    }))

  test.each(['ndjson', 'yaml', 'csv', 'tsv'])('%s is a machine format too', async (format) => {
    for (const operation of ['room.list', 'room.end'] as const) {
      const transport = await refusing(operation, () => refusal('CE003'))
      const ran = await cli(`${lines[operation]} -o ${format}`, {transport})
      expect(ran).toMatchObject({exit: 5, stdout: ''})
      expect(JSON.parse(ran.stderr).error.code).toBe('CE003')
    }
  })
})

describe('what a refusal says', () => {
  test('RE003 is an empty list', async () => {
    const transport = await refusing('record.list', () => refusal('RE003'))
    expect(await cli('record list r-retro -o json', {transport})).toMatchObject({exit: 0, stdout: '[]\n', stderr: ''})
  })

  test('the state of the room explains it, as the product says', async () => {
    const ran = await cli('room end r-review --yes')
    expect(ran).toMatchObject({exit: 7, stdout: ''})
    expect(ran.stderr).toBe(
      'error: cannot end room r-review: it is IDLE, only a MEETING room can be ended (ER001)\n' +
        '  why: everybody has left; the service keeps the room until it is deleted or entered again\n' +
        '  service: room r-review is IDLE; this needs MEETING\n' +
        '  try: roomctl room delete r-review\n',
    )
  })

  test('an unknown code is shown as it came, with the service’s words', async () => {
    const transport = await refusing('room.end', () => refusal('ZZ42', 'the moon is full', 418))
    const ran = await cli('room end r-standup --yes', {transport, onWait: async () => undefined})
    // The room, read again for 3 s, does not show the change.
    expect(ran).toMatchObject({exit: 8, stdout: ''})
    expect(ran.stderr).toBe(
      "error: cannot end room r-standup: the moon is full (ZZ42)\n  why: the code ZZ42 is not in the service's document\n",
    )
  })

  test('a refusal without code or message is still a sentence', async () => {
    const transport = await refusing('room.end', () => refusal(undefined, ''))
    const ran = await cli('room end r-standup --yes -o json', {transport, onWait: async () => undefined})
    expect(ran).toMatchObject({exit: 8, stdout: ''})
    expect(JSON.parse(ran.stderr).error.message).toBe('cannot end room r-standup: the service answered FAIL')
  })

  test('a page instead of an answer ends a read by its HTTP status', () =>
    everyCase(
      [
        [401, 4],
        [403, 5],
        [404, 6],
        [405, 6],
        [409, 7],
        [412, 7],
        [400, 8],
        [413, 8],
        [422, 8],
        [429, 9],
        [500, 9],
        [502, 9],
        [503, 9],
        [504, 9],
      ],
      async (status, exit) => {
        const ran = await cli('room list -o json', {transport: await refusing('room.list', () => page(status))})
        expect(ran).toMatchObject({exit, stdout: ''})
        expect(JSON.parse(ran.stderr).error).toMatchObject({http_status: status, exit_code: exit, outcome: 'none'})
      },
    ))

  test('a 404 names the setting that changes the path, for the documented update and for an assumed route', async () => {
    const update = await cli('room update r-standup --max 50', {
      transport: await refusing('room.update', () => page(404)),
    })
    // A page is no refusal of the service's own, so it proves nothing.
    expect(update.exit).toBe(10)
    expect(update.stderr).toContain("roomctl config set route.room.update 'PATCH /v1/rooms/{roomId}'")
    expect(update.sent.filter(({method}) => method !== 'GET')).toHaveLength(1)
    const send = await cli('room send r-standup hello --from ann', {
      transport: await refusing('room.send', () => page(405)),
    })
    expect(send.stderr).toContain('is assumed')
    expect(send.stderr).toContain('roomctl config set route.room.send')
  })

  test('is red on a narrow terminal, and wrapped but for what can be pasted', async () => {
    const ran = await cli('room end r-review --yes', {columns: 40})
    const isTry = (line: string) => line.includes('try:')
    const lines = stripVTControlCharacters(ran.stderr).split('\n')
    expect(lines.slice(0, 5)).toEqual([
      'on sandbox (built in)',
      'error: cannot end room r-review: it is',
      '       IDLE, only a MEETING room can be',
      '       ended (ER001)',
      '  why: everybody has left; the service',
    ])
    expect(lines.filter((line) => line.length > 40 && !isTry(line))).toEqual([])
    expect(lines.findLastIndex(isTry)).toBe(lines.length - 2)
    expect(ran.stderr).toContain('\u001b[31merror:\u001b[39m cannot end room r-review')
    const plain = await cli('room end r-review --yes', terminal(40))
    expect(plain.stderr).not.toContain('\u001b')
  })
})
