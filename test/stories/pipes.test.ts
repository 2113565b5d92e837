import {beforeAll, describe, expect, test} from 'vitest'
import {freshPlace, type Place, shell} from './place.js'
import {environmentOf, sendJson, serve, success, summary} from './service.js'

/** Enough that no pipe holds them: a reader that stops closes it while most is still to be written. */
const count = 20_000

let place: Place

beforeAll(async () => {
  const rooms = Array.from({length: count}, (_, at) =>
    summary(`r-${at}`, {name: at % 7 === 0 ? `회의 ${at}` : `Room ${at}`}),
  )
  const body = JSON.stringify(success(rooms))
  const service = await serve((_path, response) => sendJson(response, body))
  place = freshPlace(environmentOf(service))
})

describe('a reader that has seen enough', () => {
  test.each(['ndjson', 'table', 'json', 'csv', 'yaml', 'ids'])(
    'ends room list -o %s quietly with 0',
    async (format) => {
      const ran = await shell(place, `roomctl room list -o ${format} | head -1; echo "ended \${PIPESTATUS[*]}"`)
      expect(ran.stderr).toBe('')
      const [first, last] = ran.stdout.trimEnd().split('\n')
      expect(first).toMatch(/^(?:\{"room_id":"r-0",.*\}|ID +NAME +STATUS .*|\[|room_id,name,.*|- room_id: r-0|r-0)$/)
      expect(last).toBe('ended 0 0')
    },
  )

  test('who reads nothing at all is no error either', async () => {
    const ran = await shell(place, 'roomctl room list -o json | true; echo "ended $PIPESTATUS"')
    expect(ran).toMatchObject({stdout: 'ended 0\n', stderr: ''})
  })

  test('help and version may be cut off too', async () => {
    const ran = await shell(place, 'roomctl room list --help | head -1; roomctl --version | true; echo "$PIPESTATUS"')
    expect(ran).toMatchObject({stdout: 'List the rooms of the application\n0\n', stderr: ''})
  })
})

describe('a reader that is slow', () => {
  /** Reads in small pieces with pauses, and gives what it read as it is. */
  const slowly = `node -e '
    process.stdin.on("data", (piece) => {
      process.stdout.write(piece)
      process.stdin.pause()
      setTimeout(() => process.stdin.resume(), 5)
    })'`

  test.each([
    ['table', count + 1],
    ['json', undefined],
    ['csv', count + 1],
    ['ndjson', count],
  ])('gets every row of -o %s', async (format, lines) => {
    const ran = await shell(place, `roomctl room list -o ${format} | (sleep 0.5; ${slowly}); echo "$PIPESTATUS" >&2`)
    expect(ran.stderr).toBe('0\n')
    if (format === 'json') {
      const rooms: {room_id: string}[] = JSON.parse(ran.stdout)
      expect(rooms.map(({room_id: id}) => id)).toEqual(Array.from({length: count}, (_, at) => `r-${at}`))
      return
    }
    const rows = ran.stdout.trimEnd().split('\n')
    expect(rows).toHaveLength(lines ?? 0)
    expect(rows.at(-1)).toContain(`r-${count - 1}`)
    expect(rows.every((row) => /r-\d+|room_id|ID/.test(row))).toBe(true)
  })
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

  test('nor does a command that lacks an argument or an answer take one from the lines', async () => {
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
r-full
END`,
    )
    expect(ran.stdout).toBe('user 2\nanswer 13\nroom 2\n'.repeat(3))
  })

  test('ids go from one command into the next, and the list is whole', async () => {
    const own = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    const ran = await shell(
      own,
      `roomctl sandbox reset --seed demo >&2
       roomctl room list --where 'status=MEETING and name~^test-' -q | roomctl room end - --yes -o json`,
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
    expect(asked.stderr).toMatch(/needs a confirmation, nothing was sent[\s\S]*add --yes/)
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

  // A result that cannot be written is a file that cannot be written: 14 (product §3).
  test.each(['room list', 'room show r-retro', '--help', '--version'])(
    'a full disk behind stdout of %s is one clear sentence',
    async (command) => {
      const ran = await shell(sandbox, `roomctl ${command} > /dev/full`)
      expect(ran.exit).toBe(14)
      expect(ran.stderr).toMatch(/^error: cannot write to stdout: the disk is full\n/)
      expect(ran.stderr).not.toMatch(/ENOSPC|at \w|dist\/main/)
    },
  )

  test('a change whose result cannot be written is made all the same, and that is all it says', async () => {
    const ran = await shell(sandbox, 'roomctl room end r-full --yes > /dev/full')
    expect(ran.exit).toBe(14)
    expect(ran.stderr).toMatch(/^error: cannot write to stdout: the disk is full\n/)
    const after = await shell(sandbox, 'roomctl room show r-full -o json --query room_status')
    expect(after.stdout).toBe('"ENDED"\n')
  })

  test('a full disk behind stderr does not change the exit code', async () => {
    expect(await shell(sandbox, 'roomctl room show r-none 2> /dev/full')).toMatchObject({stdout: '', exit: 6})
    expect(await shell(sandbox, 'roomctl room list --status bogus 2> /dev/full')).toMatchObject({stdout: '', exit: 2})
  })
})
