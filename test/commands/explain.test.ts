import {describe, expect, test} from 'vitest'
import {cli} from '../support/cli.js'
import {terminal} from './answers.js'

const codes = [
  'CE001',
  'CE002',
  'CE003',
  'CE100',
  'CE101',
  'CE200',
  'U001',
  'D001',
  'T001',
  'T002',
  'ER001',
  'AA001',
  'AA002',
  'BR001',
  'BA001',
  'DH001',
  'RE001',
  'RE003',
  'FAILED_PRECONDITION',
]

describe('one code', () => {
  test('is explained in a paragraph', async () => {
    const ran = await cli('explain ER001')
    expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
    expect(ran.stdout).toBe(
      'ER001  room is not MEETING\n' +
        '  for:  room.end\n' +
        '  why:  only a MEETING room can be ended\n' +
        '  do:   roomctl room show ROOM\n' +
        '  exit: 7, wrong state\n',
    )
  })

  test('that differs between operations has a paragraph for each', async () => {
    const {stdout} = await cli('explain re001')
    expect(stdout.split('\n\n')).toHaveLength(2)
    expect(stdout).toContain('for:  record.start\n')
    expect(stdout).toContain('for:  record.stop\n')
    const one = await cli('explain RE001 --operation record.stop')
    expect(one.stdout.split('\n\n')).toHaveLength(1)
    expect(one.stdout).toContain('no recording')
  })

  test('is a table of the columns that are asked for', async () => {
    expect(await cli('explain ER001 --columns code,condition')).toMatchObject({
      exit: 0,
      stdout: 'CODE   CONDITION\nER001  room is not MEETING\n',
    })
    expect(await cli('explain ER001 --columns conditon')).toMatchObject({exit: 2, stdout: ''})
    expect((await cli('explain ER001 --sort conditon')).stderr).toContain('  try: use condition; columns: code, ')
  })

  test('of an update says what the creator may change', async () => {
    const {stdout} = await cli('explain CE003 --operation room.update')
    expect(stdout).toContain('the creator may change is_joinable alone')
    expect((await cli('room update --help')).stdout).toContain('the creator may also change joinable alone')
  })

  test('that stands for an empty list has the exit of the command', async () => {
    expect((await cli('explain RE003')).stdout).toContain('exit: 0, done\n')
    expect((await cli('record list r-first')).exit).toBe(0)
  })

  test('says what no document states of it', async () => {
    const {stdout} = await cli('explain FAILED_PRECONDITION')
    expect(stdout).toContain('\n  not documented: its condition: only a sample answer of record.start shows it\n')
    expect((await cli('explain CE001 --operation attendee.restore')).stdout).toContain(
      'not documented: the code for a user',
    )
    expect((await cli('explain 404 --operation push.modify')).stdout).toContain(
      'not documented: the status for push.modify',
    )
    for (const line of ['ER001', '422 --operation push.modify']) {
      expect((await cli(`explain ${line}`)).stdout).not.toContain('not documented')
    }
  })
})

describe('all codes', () => {
  test('are listed without CODE', async () => {
    const ids = (await cli('explain -q')).stdout.trimEnd().split('\n')
    expect([...new Set(ids)]).toEqual(codes)
    expect((await cli('explain', terminal(100))).stdout).toContain('ER001')
    expect((await cli('explain -o csv --columns code,exit_code')).stdout).toContain('ER001,7\n')
  })

  test('are listed for one operation', async () => {
    const ran = await cli('explain --operation record.stop -o json')
    const stop = JSON.parse(ran.stdout).find(({code}: {code: string}) => code === 'RE001')
    expect(stop.operations).toEqual(['record.stop'])
  })

  // room, Errors: the codes of the table for all operations, and those beside the operation in the other.
  test.each([
    ['room.end', ['ER001']],
    ['attendee.token', ['T001', 'T002']],
    ['record.start', ['RE001', 'FAILED_PRECONDITION']],
    ['room.list', []],
  ])('of %s are those that the document names for it', async (id, own) => {
    const ran = await cli(['explain', '--operation', id, '-q'])
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout.trimEnd().split('\n')).toEqual([...codes.slice(0, 6), ...own])
  })
})

describe('a code that the document does not name for the operation', () => {
  test('is reported as undocumented there, with its meaning for other operations', async () => {
    const ran = await cli('explain RE001 --operation room.end')
    const remark = 'the document does not list RE001 for room.end; this is its meaning for other operations\n'
    expect(ran).toMatchObject({exit: 0, stderr: remark})
    expect(ran.stdout.match(/for: .*/gu)).toEqual(['for:  record.start', 'for:  record.stop'])
    const json = await cli('explain ER001 --operation record.start -o json')
    expect(json.stderr).toContain('does not list ER001 for record.start')
    expect(JSON.parse(json.stdout)).toMatchObject([{operations: ['room.end']}])
    expect((await cli('explain CE101 --operation room.end')).stderr).toBe('')
  })

  test('is no HTTP status either', async () => {
    const ran = await cli('explain 404 --operation room.end')
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain('error: the document shows no HTTP status 404 for room.end\n')
    expect(ran.stderr).toContain('try: roomctl explain --operation room.end\n')
  })
})

describe('an operation of a document without codes', () => {
  test('is explained by HTTP statuses, and says so', async () => {
    const ran = await cli('explain --operation asset.list -o csv --columns code,exit_code,operations --no-header')
    expect(ran).toMatchObject({
      exit: 0,
      sent: [],
      stderr: 'the asset document has no error codes; the HTTP status says what is wrong\n',
    })
    expect(ran.stdout.split('\n').slice(0, 4)).toEqual([
      '400,8,asset.list',
      '401,4,asset.list',
      '403,5,asset.list',
      '404,6,asset.list',
    ])
    expect(ran.stdout).toContain('5xx,9,')
  })

  test('has a paragraph for one status', async () => {
    const {stdout} = await cli('explain 409 --operation asset.create')
    expect(stdout).toBe(
      '409  wrong state\n  for:  asset.create\n  why:  probably it conflicts with something that already exists\n' +
        '  do:   roomctl asset list CONTAINER\n  not documented: the status for asset.create\n  exit: 7, wrong state\n',
    )
    expect((await cli('explain 503')).stdout).toContain('the same command may succeed later')
  })

  test('has its own text if its document says more', async () => {
    const ran = await cli('explain 403 --operation push.cancel')
    expect(ran).toMatchObject({
      exit: 0,
      sent: [],
      stderr: 'the push document has no error codes; the HTTP status says what is wrong\n',
    })
    expect(ran.stdout).toMatch(/^403 {2}it has probably been sent already\n {2}for: {2}push\.cancel\n/)
    expect(ran.stdout).toContain('(push, Rules 2)')
    expect(ran.stdout).toMatch(/ {2}exit: 5, not permitted\n$/)
    const all = await cli('explain --operation push.register -o json')
    expect(JSON.parse(all.stdout).map(({code}: {code: string}) => code)).toEqual([
      ...['400', '401', '403', '404', '405', '409', '413', '422', '429', '5xx'],
    ])
    expect(all.stdout).not.toMatch(/\{\w+\}|asset|container/)
  })

  test('answers with no code of the room document', async () => {
    const ran = await cli('explain CE002 --operation asset.upload')
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain('try: roomctl explain --operation asset.upload\n')
    const push = await cli('explain ER001 --operation push.send')
    expect(push).toMatchObject({exit: 2, stdout: ''})
    expect(push.stderr).toContain('why: the push document has no error codes; the HTTP status says what is wrong\n')
    expect(await cli('explain 200')).toMatchObject({exit: 2, stdout: ''})
  })
})

test('a code or operation of no document is refused, with the nearest', async () => {
  expect(await cli('explain XX42')).toMatchObject({exit: 2, stdout: ''})
  expect((await cli('explain ER002')).stderr).toContain('try: roomctl explain ER001\n')
  expect((await cli('explain ER001 --operation room.fly')).exit).toBe(2)
})
