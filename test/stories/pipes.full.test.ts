import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {freshPlace, type Place, shell} from './place.js'
import {environmentOf, sendJson, serve, success, summary, token} from './service.js'

/** Enough that no pipe holds them: a reader that stops closes it while most is still to be written. */
const count = 1200
const megabytes = 3

let place: Place

beforeAll(async () => {
  const rooms = Array.from({length: count}, (_, at) =>
    summary(`r-${String(at).padStart(60, '0')}`, {name: at % 7 === 0 ? `회의 ${at}` : `Room ${at}`}),
  )
  const list = JSON.stringify(success(rooms))
  const meta = JSON.stringify({uuid: 'big', originalFileName: 'big.bin', dataUrl: '/bytes/big'})
  const service = await serve((path, response) => {
    if (path.startsWith('/bytes/')) response.end(Buffer.alloc(megabytes * 2 ** 20, 'b'))
    else sendJson(response, path.includes('type=meta') ? meta : list)
  })
  place = freshPlace({...environmentOf(service), ROOMCTL_ASSET_URL: service.url, ROOMCTL_ASSET_TOKEN: token})
  writeJournal(path.join(place.dir, 'state'))
})

function writeJournal(folder: string): void {
  mkdirSync(folder, {mode: 0o700})
  const line = (at: number) => ({
    id: `20261201T090000-${String(at).padStart(4, '0')}`,
    at: '2026-12-01T09:00:00.000Z',
    profile: 'default',
    operation: 'room.end',
    targets: {roomId: `r-${at}`},
    as: 'ann',
    outcome: 'done',
  })
  const text = Array.from({length: count}, (_, at) => `${JSON.stringify(line(at))}\n`).join('')
  writeFileSync(path.join(folder, 'journal.ndjson'), text, {mode: 0o600})
}

/** A list as it is written in each way: drawn, in one piece and row by row. */
const lists = ['table', 'json', 'csv'].map((format) => `room list -o ${format}`)
const download = 'asset download games/puzzle/big --to -'

/** Every way to write, and every kind of result. */
const kinds = [
  ...lists,
  'room list --debug',
  `history --limit ${count}`,
  'api room GET /v1/rooms',
  'api room GET /v1/rooms --include',
  download,
  'explain CE001',
  'completion bash',
  'room list --help',
  '--help',
  '--version',
]

test('a reader that goes away, a closed stdout and a full disk behind it end a command with 0, 0 and 14; only the last is reported', () =>
  everyCase(kinds, async (kind) => {
    const quiet = `{ roomctl ${kind}; echo $? >&3; } | head -c 1 > /dev/null; roomctl ${kind} >&-; echo $? >&3`
    const ran = await shell(place, `{ ${quiet}; } 3>&1 2> said; roomctl ${kind} > /dev/full; echo $?; cat said`)
    const [first, second, full, ...said] = ran.stdout.trimEnd().split('\n')
    expect([first, second, full]).toEqual(['0', '0', '14'])
    for (const line of said) expect(line).toMatch(/^(?:[<>] .*|wrote .* to stdout, sha256 [0-9a-f]{64})$/u)
    expect(ran.stderr).toContain('cannot write to stdout: the disk is full')
    expect(ran.stderr).not.toMatch(/ENOSPC|at \w+ \(|dist\/main/u)
  }))

describe('a reader that is slow', () => {
  /** Lets the pipe fill, reads a little more than it holds, lets it fill again, and takes the rest. */
  const slowly = '(sleep 0.3; head -c 70000; sleep 0.2; cat)'

  test('gets every byte that a file gets', () =>
    everyCase([...lists, download], async (kind) => {
      const ran = await shell(
        place,
        `roomctl ${kind} > whole 2> /dev/null; roomctl ${kind} 2> /dev/null | ${slowly} | cmp - whole && wc -c < whole`,
      )
      expect(ran).toMatchObject({stderr: '', exit: 0})
      expect(Number(ran.stdout)).toBeGreaterThan(70_000)
    }))
})

describe('a loop over ids', () => {
  test('room end in `while read` leaves the lines of the list to the loop', async () => {
    const own = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    const ran = await shell(
      own,
      `roomctl sandbox reset --seed demo >&2
       roomctl room list --status meeting -q > meetings
       while read r; do roomctl room end "$r" --yes; done < meetings
       roomctl room list --status meeting -o json`,
    )
    const ended = ran.stdout.split('\n').filter((line) => line.startsWith('ended room'))
    expect(ended.map((line) => line.split(' ')[2])).toEqual([
      'r-standup',
      'r-party',
      'r-full',
      'r-support',
      'r-test-2',
      'r-test-1',
    ])
    expect(ran.stdout.endsWith('[]\n')).toBe(true)
    expect(ran.exit).toBe(0)
  })

  test('a command that lacks an argument or an answer takes none from the lines', async () => {
    const own = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    const ran = await shell(
      own,
      `roomctl sandbox reset --seed demo > /dev/null
       while read r; do
         roomctl attendee token "$r"; echo "user $?"
         roomctl room end "$r"; echo "answer $?"
         roomctl room show > /dev/null; echo "room $?"
       done 2> /dev/null << END
r-standup
r-party
END`,
    )
    expect(ran.stdout).toBe('user 2\nanswer 13\nroom 2\n'.repeat(2))
  })

  test('ids go from one command into the next, and the list is whole', async () => {
    const own = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    const ran = await shell(
      own,
      `roomctl sandbox reset --seed demo >&2
       roomctl room list --status meeting --match 'test-*' -q | roomctl room end - --yes -o json`,
    )
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-test-2', outcome: 'done', requester_id: 'ben'},
      {room_id: 'r-test-1', outcome: 'done', requester_id: 'ben'},
    ])
  })
})

describe('streams that are not there', () => {
  let sandbox: Place

  beforeAll(async () => {
    sandbox = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    await shell(sandbox, 'roomctl sandbox reset --seed demo')
  })

  test('a closed stdin is no input, and no command waits for it', async () => {
    const ran = await shell(sandbox, 'roomctl room show r-retro -o json --query room_status <&-')
    expect(ran).toMatchObject({stdout: '"ENDED"\n', stderr: '', exit: 0})
    const asked = await shell(sandbox, 'roomctl room end r-standup <&-')
    expect(asked).toMatchObject({stdout: '', exit: 13})
    expect(asked.stderr).toMatch(/confirmation required; nothing was sent[\s\S]*add --yes/)
  })

  test('a closed stdout loses the result and nothing else', async () => {
    const ran = await shell(sandbox, 'roomctl room list >&-')
    expect(ran).toMatchObject({stdout: '', stderr: '', exit: 0})
    const refused = await shell(sandbox, 'roomctl room show r-none >&-')
    expect(refused.exit).toBe(6)
    expect(refused.stderr).toContain('r-none')
  })

  test('a closed stderr keeps the result and the exit code', async () => {
    const ran = await shell(sandbox, 'roomctl room show r-retro -o json --query room_status 2>&-')
    expect(ran).toMatchObject({stdout: '"ENDED"\n', exit: 0})
    expect(await shell(sandbox, 'roomctl room show r-none 2>&-')).toMatchObject({stdout: '', exit: 6})
  })

  test('a change is made even if its result cannot be written, and only that is reported', async () => {
    const ran = await shell(sandbox, 'roomctl room end r-full --yes > /dev/full')
    expect(ran.exit).toBe(14)
    expect(ran.stderr).toMatch(/^error: cannot write to stdout: the disk is full\n/)
    const after = await shell(sandbox, 'roomctl room show r-full -o json --query room_status')
    expect(after.stdout).toBe('"ENDED"\n')
  })

  test('a full disk behind stderr does not change the exit code', async () => {
    expect(await shell(sandbox, 'roomctl room show r-none 2> /dev/full')).toMatchObject({stdout: '', exit: 6})
    expect(await shell(sandbox, 'roomctl room list --limit bogus 2> /dev/full')).toMatchObject({stdout: '', exit: 2})
  })
})
