import {get} from 'node:http'
import {Command} from 'commander'

// A lean program that does `room list` and nothing else: what a start can cost when all that roomctl does besides is
// left out. No profile, no checks of the answer, no formats, no safe text, no retries.

const columns = ['room_id', 'name', 'room_status', 'max_attendee_count', 'is_public', 'created_by', 'start_time']

const program = new Command('lean').version('1.0.0')
const room = program.command('room').description('Rooms')
room
  .command('list')
  .description('List the rooms of the application')
  .option('--asc', 'oldest first')
  .action(({asc}: {asc?: boolean}) => {
    const {ROOMCTL_ROOM_URL: base, ROOMCTL_ROOM_TOKEN: token} = process.env
    const url = `${base}/v1/rooms${asc ? '?asc=true' : ''}`
    const headers = {authorization: `Bearer ${token}`}
    get(url, {headers, agent: false}, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      answer.on('end', () => process.stdout.write(table(JSON.parse(body).data)))
    })
  })

function table(rows: readonly Record<string, unknown>[]): string {
  const cells = [columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  return cells.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`).join('')
}

program.parse()
