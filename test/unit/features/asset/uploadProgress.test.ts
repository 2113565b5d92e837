import {beforeEach, describe, expect, test} from 'vitest'
import type {ProgressKind} from '../../../../src/cli/flags/flags.js'
import type {Session} from '../../../../src/cli/session/session.js'
import {Failure} from '../../../../src/failure.js'
import {UploadReport} from '../../../../src/features/asset/uploadReport.js'
import {noStyle} from '../../../../src/text/text.js'
import type {UploadEvent} from '../../../../src/upload/model/job.js'
import {everyCase} from '../../../support/everyCase.js'
import {passTenths, resetTicking, ticking, tickingTerminal} from '../../../support/ticking.js'

const size = 1000
beforeEach(resetTicking)

interface Stage {
  readonly kind: ProgressKind
  readonly env?: Record<string, string>
  readonly columns?: number
  readonly files?: number
  readonly format?: string
}

async function started({kind, env = {}, columns, files = 1, format = 'table'}: Stage) {
  const {screen, part} = tickingTerminal(env, columns)
  const session = {...part, style: noStyle, output: {format}} as unknown as Session
  const report = new UploadReport(session, {fresh: false, overwrite: false, progress: kind})
  await report.draw(Array(files).fill(size))
  return {screen, emit: (event: UploadEvent) => report.take(event), close: () => report.stop()}
}

function pass(seconds: number, each: (second: number) => void = () => undefined): void {
  passTenths(seconds * 10, (tenth) => {
    if (tenth % 10 === 0) each(tenth / 10)
  })
}

const begun: UploadEvent = {kind: 'begun', key: 'a.bundle', size, from: 0}
const acked = (offset: number): UploadEvent => ({kind: 'acked', key: 'a.bundle', offset})
const failed: UploadEvent = {
  kind: 'failed',
  key: 'a.bundle',
  failure: new Failure({exit: 'missing', message: 'cannot upload a.bundle to games/foo: it is gone'}),
}

describe('in a log', () => {
  test('there is a line after 2 s, then for every 5 % where those take longer than 10 s', async () => {
    const {emit} = await started({kind: 'auto'})
    emit(begun)
    pass(100, (second) => emit(acked(second * 2)))
    expect(ticking.notes.map((line) => line.split(',')[0])).toEqual(['0%', '5%', '10%', '15%'])
    expect(ticking.notes[1]).toMatch(/^5%, 54 B of 1000 B, 2 B\/s, 7m \d\ds left, 0 of 1 file done$/u)
  })

  test('there is one every 10 s where 5 % go by faster', async () => {
    const {emit} = await started({kind: 'auto'})
    emit(begun)
    pass(40, (second) => emit(acked(second * 25)))
    expect(ticking.notes.map((line) => line.split(',')[0])).toEqual(['5%', '30%', '55%', '80%'])
  })

  test('a standstill is reported at once, and again only after progress', async () => {
    const {emit} = await started({kind: 'auto'})
    emit(begun)
    emit(acked(10))
    pass(60)
    expect(ticking.notes).toEqual([expect.stringContaining('1%'), expect.stringContaining('stalled')])
    emit(acked(20))
    pass(60)
    expect(ticking.notes).toHaveLength(3)
  })

  test('warnings and renewals have their lines, failures only their rows, without escapes or carriage returns', async () => {
    const {emit} = await started({kind: 'auto', files: 2})
    emit({kind: 'warned', text: 'the service refuses sha1: \u001b[31mbad\r'})
    emit(begun)
    emit({kind: 'renewed', key: 'a.bundle', why: 'the file has changed'})
    // Another process is reported, and a wait of a second is not.
    for (const more of [{}, {isSaid: true}] as const)
      emit({kind: 'waiting', key: 'a.bundle', ms: 1000, why: 'process 7 on host is uploading it', ...more})
    emit(failed)
    expect(ticking.notes).toEqual([
      'warning: the service refuses sha1: \\u{1b}[31mbad\\u{d}',
      'warning: a.bundle starts over: the file has changed',
      'a.bundle waits: process 7 on host is uploading it',
    ])
  })

  test('ends with its timer', async () => {
    const {close} = await started({kind: 'auto'})
    expect(ticking.ticks).toHaveLength(1)
    close()
    expect(ticking.ticks).toEqual([])
  })
})

describe('on a terminal', () => {
  test('there are bars, ten times a second, and warnings stand above them', async () => {
    const {screen, emit, close} = await started({kind: 'auto', columns: 80})
    expect(ticking.ticks.map(({ms}) => ms)).toEqual([100])
    emit(begun)
    pass(0.1)
    emit({kind: 'warned', text: 'something'})
    emit(acked(500))
    emit({kind: 'sent', key: 'a.bundle', bytes: 250})
    pass(0.1)
    const bar = (name: string) =>
      expect.stringMatching(new RegExp(`^${name} +\\[=+-+ +\\] +75% {2}750 B of 1000 B$`, 'u'))
    // A file has a bar of its own after a second.
    expect(await screen.lines()).toEqual(['warning: something', bar('total'), expect.anything()])
    pass(1)
    expect(await screen.lines()).toEqual([
      'warning: something',
      bar('a.bundle'),
      bar('total'),
      expect.stringMatching(/0 of 1 file done$/u),
    ])
    close()
    expect(await screen.lines()).toEqual(['warning: something'])
    expect(ticking.ticks).toEqual([])
  })

  test('that cannot be drawn on has lines instead', () =>
    everyCase(
      [
        ['ACCESSIBLE=1', 'auto', {ACCESSIBLE: '1'}],
        ['TERM=dumb', 'auto', {TERM: 'dumb'}],
        ['TERM=dumb, whatever is asked for,', 'bar', {TERM: 'dumb'}],
        ['--progress line', 'line', {}],
      ] as const,
      async (_, kind, env) => {
        resetTicking()
        const {screen, emit} = await started({kind, env, columns: 80})
        emit(begun)
        emit(acked(600))
        pass(3)
        expect(ticking.notes).toHaveLength(1)
        expect(screen.writes.join('')).toBe(`${ticking.notes[0]}\n`)
      },
    ))
})

test('--progress json is one object for each event and each second', async () => {
  const {emit} = await started({kind: 'json', columns: 80})
  emit(begun)
  emit({kind: 'sent', key: 'a.bundle', bytes: 10})
  emit(acked(500))
  emit({kind: 'waiting', key: 'a.bundle', ms: 1.5, why: 'the service is busy'})
  emit({kind: 'renewed', key: 'a.bundle', why: 'the file has changed'})
  emit({kind: 'warned', text: 'no checksums'})
  emit(acked(500))
  pass(1)
  expect(ticking.notes.map((line) => JSON.parse(line))).toEqual([
    {event: 'begun', file: 'a.bundle', bytes: size, resumed_from: 0},
    {event: 'acked', file: 'a.bundle', acked: 500},
    {event: 'waiting', file: 'a.bundle', ms: 2, why: 'the service is busy'},
    {event: 'renewed', file: 'a.bundle', why: 'the file has changed'},
    {event: 'warned', message: 'no checksums'},
    {event: 'acked', file: 'a.bundle', acked: 500},
    {
      event: 'progress',
      active: 1,
      files: 1,
      done: 0,
      failed: 0,
      bytes: size,
      acked: 500,
      sent: 500,
      rate: expect.any(Number),
      seconds_left: null,
      stalled: false,
    },
  ])
})

test('--progress json has the outcome of each file', async () => {
  const {emit} = await started({kind: 'json', files: 2})
  const result = {key: 'b', path: 'b', uuid: 'u-1', uri: 'u', bytes: size, sha256: 'd', sentBytes: size}
  emit({kind: 'done', key: 'b', result})
  emit(failed)
  expect(ticking.notes.map((line) => JSON.parse(line))).toEqual([
    {event: 'done', file: 'b', uuid: 'u-1', sha256: 'd'},
    {event: 'failed', file: 'a.bundle', error: expect.objectContaining({code: 'missing', exit_code: 6})},
  ])
})

test('--progress none says nothing at all', async () => {
  const {emit} = await started({kind: 'none', columns: 80})
  emit(begun)
  emit(failed)
  pass(60)
  expect(ticking).toMatchObject({notes: [], ticks: []})
})
