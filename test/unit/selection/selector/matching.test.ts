import {describe, expect, it} from 'vitest'
import type {RoomSubject} from '../../../../src/selection/selector/field.js'
import {parseSelector} from '../../../../src/selection/selector/selector.js'
import {now, room} from './rooms.js'

async function selects(text: string, subject: RoomSubject = room, tz?: string): Promise<boolean> {
  return (await parseSelector(text, tz === undefined ? {} : {tz})).matches(subject, now)
}

describe('a selector', () => {
  it.each([
    'status=MEETING and age>8h and name~^test-',
    'status=MEETING and (age>8h or present=0) and name~^test-',
    'status=meeting',
    'STATUS = Meeting AND NOT age < 8h',
    'status!=ENDED',
    'status~"^(MEETING|IDLE)$"',
    "name='test-주간 회의'",
    'name="test-주간 회의"',
    'name~주간',
    "name~' 회의$'",
    'name!~^prod-',
    "name~'(?i)^TEST'",
    'id=r-42',
    'id!=r-43',
    "id~'^r-\\d+$'",
    'creator=kim',
    'creator~^k',
    'age>8h59m',
    'age<9h1m',
    'age>=9h',
    'age<=9h',
    'start=2026-12-01T03:00:00Z',
    'start=2026-12-01T12:00+09:00',
    "start='2026-12-01 12:00+09:00'",
    'start<2026-12-01T03:00:01Z',
    'start>-10h',
    'start<now',
    'end>now',
    'end=2026-12-01T18:00Z',
    'end<=+6h',
    'present=2',
    'present>0',
    'present<=2',
    'max=30',
    'max!=31',
    'max>=30',
    'public=yes',
    'public=TRUE',
    'public!=no',
    'joinable=no',
    'room_id=r-42 and room_status=meeting and created_by=kim and max_attendee_count=30',
    'present_count=2 and is_public=yes and Is_Joinable=no',
    'start_time=2026-12-01T03:00Z and reserved_start_time=2026-12-01T02:00Z and reserved_end_time>now',
    'joinable=false',
    'not joinable=yes',
    'not not public=yes',
    '((public=yes))',
    'status=ENDED or status=MEETING',
    '\tstatus = MEETING\n and\r\n max = 30 ',
  ])('%s selects the room', async (text) => {
    expect(await selects(text)).toBe(true)
    expect(await selects(`not (${text})`)).toBe(false)
  })

  it.each([
    'status=ENDED',
    'status!=MEETING',
    'name=test-',
    'name=TEST-주간',
    'name~^TEST',
    'name!~test',
    'id=R-42',
    'age>9h',
    'age<9h',
    'start>2026-12-01T03:00:00Z',
    'start!=2026-12-01T03:00:00Z',
    'start<-10h',
    'present=0',
    'max<30',
    'public=no',
    'joinable!=no',
    'status=MEETING and age<8h',
    'status=ENDED or age<8h',
  ])('%s does not select the room', async (text) => {
    expect(await selects(text)).toBe(false)
  })

  it('binds and tighter than or, and not tightest', async () => {
    expect(await selects('public=yes or max=1 and max=2')).toBe(true)
    expect(await selects('(public=yes or max=1) and max=2')).toBe(false)
    expect(await selects('not public=yes and max=2')).toBe(false)
    expect(await selects('not (public=yes and max=2)')).toBe(true)
  })

  it('takes a keyword as a value and a quote within a bare value', async () => {
    expect(await selects('name=and', {name: 'and'})).toBe(true)
    expect(await selects("name=o'brien", {name: "o'brien"})).toBe(true)
    expect(await selects('name=not', {name: 'not'})).toBe(true)
    expect(await selects("name=''", {name: ''})).toBe(true)
  })

  it('reads backslashes in quotes before quotes and backslashes only', async () => {
    expect(await selects(String.raw`name='it\'s'`, {name: "it's"})).toBe(true)
    expect(await selects(String.raw`name="a\"b"`, {name: 'a"b'})).toBe(true)
    expect(await selects(String.raw`name='a\\b'`, {name: 'a\\b'})).toBe(true)
    expect(await selects(String.raw`name='a\nb'`, {name: 'a\\nb'})).toBe(true)
    expect(await selects(String.raw`name~'^\d\.\d$'`, {name: '1.5'})).toBe(true)
    expect(await selects(String.raw`name=a\b`, {name: 'a\\b'})).toBe(true)
  })

  it('reads a local time in the zone it is given', async () => {
    expect(await selects('start=2026-12-01T12:00', room, 'Asia/Seoul')).toBe(true)
  })
})

describe('the times of a room', () => {
  it('are the reserved ones until there are actual ones', async () => {
    const reserved = {reserved_start_time: '2026-12-01T14:00:00Z', reserved_end_time: '2026-12-01T15:00:00Z'}
    expect(await selects('start=2026-12-01T14:00Z and end=2026-12-01T15:00Z', reserved)).toBe(true)
    const actual = {...reserved, start_time: '2026-12-01T03:00:00Z', end_time: '2026-12-01T04:00:00Z'}
    expect(await selects('start=2026-12-01T03:00Z and end=2026-12-01T04:00Z', actual)).toBe(true)
  })

  it('make the age of a room that is still to begin negative', async () => {
    expect(await selects('age<0s', {reserved_start_time: '2026-12-01T14:00:00Z'})).toBe(true)
  })

  it('are UTC when the service names no zone', async () => {
    expect(await selects('age>=9h', {start_time: '2026-12-01T03:00:00'})).toBe(true)
    expect(await selects('age<=9h', {start_time: '2026-12-01T03:00:00.000'})).toBe(true)
  })

  it('move with the time the selector is asked at', async () => {
    const selector = await parseSelector('start<-8h')
    expect(selector.matches(room, new Date('2026-12-01T10:00:00Z'))).toBe(false)
    expect(selector.matches(room, new Date('2026-12-01T12:00:00Z'))).toBe(true)
  })
})

describe('a missing value', () => {
  const fields = {
    status: ['=MEETING', '~M', '!=MEETING', '!~M'],
    name: ['=a', '~a', '!=a', '!~a'],
    id: ['=a', '~a', '!=a', '!~a'],
    creator: ['=a', '~a', '!=a', '!~a'],
    start: ['=now', '<now', '>now', '<=now', '>=now', '!=now'],
    end: ['=now', '<now', '>now', '<=now', '>=now', '!=now'],
    age: ['<1h', '>1h', '<=1h', '>=1h'],
    present: ['=1', '<1', '>1', '<=1', '>=1', '!=1'],
    max: ['=1', '<1', '>1', '<=1', '>=1', '!=1'],
    public: ['=yes', '=no', '!=yes', '!=no'],
    joinable: ['=yes', '=no', '!=yes', '!=no'],
  }
  const cases = Object.entries(fields).flatMap(([field, rests]) => rests.map((rest) => [field + rest]))
  const wrong = [null, undefined, {}, [], Number.NaN, Symbol('x'), 'yesterday at nine']
  const absent = (value: unknown): RoomSubject => ({
    room_status: typeof value === 'string' ? null : value,
    name: typeof value === 'string' ? null : value,
    room_id: typeof value === 'string' ? null : value,
    created_by: typeof value === 'string' ? null : value,
    start_time: value,
    end_time: value,
    reserved_start_time: value,
    reserved_end_time: value,
    max_attendee_count: value,
    is_public: value,
    is_joinable: value,
    present_count: value,
  })

  it.each(cases)('makes %s true only for an operator with an exclamation mark', async (text) => {
    const selector = await parseSelector(text)
    expect(selector.matches({}, now)).toBe(text.includes('!'))
    for (const value of wrong) expect(selector.matches(absent(value), now)).toBe(text.includes('!'))
  })

  it('is a time that cannot be', async () => {
    expect(await selects('start>2000-01-01T00:00Z', {start_time: '2026-02-30T09:00:00Z'})).toBe(false)
  })

  it('is not an empty text', async () => {
    expect(await selects("name!=''", {name: ''})).toBe(false)
    expect(await selects("name!=''", {})).toBe(true)
  })
})

describe('of a room whose detail was not read', () => {
  const {present_count: _, ...row} = room
  it.each([
    ['present=0', undefined],
    ['PRESENT=0', undefined],
    ['not present=0', undefined],
    ['status=IDLE and present=0', false],
    ['present=0 and status=IDLE', false],
    ['status=MEETING and present=0', undefined],
    ['status=MEETING or present=0', true],
    ['status=IDLE or present=0', undefined],
    ['not (status=MEETING or present=0)', false],
    ['status=MEETING and (age>8h or not present=0)', true],
    ['status=MEETING and (age>10h or not present=0)', undefined],
    ['(present=1 or present=2) and id=r-42', undefined],
    ['status=MEETING and age>8h', true],
    ['name=present', false],
    ["name='present=0'", false],
  ])('%s is %s', async (text, expected) => {
    expect((await parseSelector(text)).decides(row, now)).toBe(expected)
  })
})
