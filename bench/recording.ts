import {closeSync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {installRoomctl} from './installed.js'
import {measure} from './measure.js'
import {printTable} from './print.js'

const rooms = 100

/** `room attendance` over recordings of as many events, of few people and of many, beside readline with JSON.parse. */
export async function benchAttendance(events: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  try {
    const roomctl = installRoomctl()
    const base =
      "const {createReadStream} = require('fs'); require('readline').createInterface({input: createReadStream(process.argv[1])}).on('line', (line) => JSON.parse(line))"
    const rows: string[][] = []
    for (const [count, people] of [
      [events / 10, 1000],
      [events, 1000],
      [events, 100_000],
    ] as const) {
      const file = path.join(folder, `${count}-${people}.ndjson`)
      record(file, count, people)
      const [found] = await measure({
        floor: [process.execPath, '-e', base, file],
        subjects: [{name: 'attendance', argv: [process.execPath, roomctl, 'room', 'attendance', file, '-o', 'csv']}],
        runs: 3,
        env: {HOME: folder, PATH: process.env.PATH},
      })
      if (found) rows.push([`${count}`, `${people}`, found.cpuRatio.toFixed(2), found.peakMiB.toFixed(0)])
    }
    printTable(
      'room attendance beside readline and JSON.parse; aim: cpu x at most 2.5, peak at most 220 MiB and growing with people',
      ['events', 'people', 'cpu x', 'peak MiB'],
      rows,
    )
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** A recording in which a user enters or leaves five times a second. */
export function record(file: string, events: number, people: number): void {
  const fd = openSync(file, 'w')
  const time = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace('.000', '')
  const line = (event: object) => `${JSON.stringify(event)}\n`
  const room = (at: number) => ({room_id: `r-${at % rooms}`, name: `Room ${at % rooms}`})
  const run = {service: 'bench', run: time(0)}
  const there = new Set<number>()
  let text = Array.from({length: rooms}, (_, at) =>
    line({at: time(0), event: 'room-seen', after: time(0), ...room(at), room_status: 'MEETING', present: [], ...run}),
  ).join('')
  for (let at = 0; at < events; at += 1) {
    const person = (at * 7919) % people
    const event = there.delete(person) ? 'left' : 'joined'
    if (event === 'joined') there.add(person)
    const [after, seen] = [time(Math.floor(at / 5)), time(Math.floor(at / 5) + 5)]
    text += line({at: seen, event, after, ...room(person), user_id: `user-${person}`})
    if (at % 150 === 0) text += line({at: seen, event: 'looked', after, ...run})
    if (text.length > 2 ** 20 || at === events - 1) {
      writeSync(fd, text)
      text = ''
    }
  }
  closeSync(fd)
}
