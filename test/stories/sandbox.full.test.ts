import {readFileSync} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {freshPlace, shell, start} from './place.js'
import {token} from './service.js'

describe('the served sandbox', () => {
  test('prints lines that make a shell use it, serves every client, and ends cleanly at Ctrl-C', async () => {
    const place = freshPlace()
    const running = start(place, 'exec roomctl sandbox start --port 0 --seed demo > lines')
    await running.prints('serving the sandbox; Ctrl-C to stop')
    const lines = readFileSync(path.join(place.dir, 'lines'), 'utf8')
    const address = String.raw`http://127\.0\.0\.1:\d+`
    const linesOf = (name: string, path: string) =>
      String.raw`export ROOMCTL_${name}_URL=${address}/${path}\nexport ROOMCTL_${name}_TOKEN=\S+\n`
    expect(lines).toMatch(
      new RegExp(`^${linesOf('ROOM', 'media')}${linesOf('ASSET', 'asset')}${linesOf('PUSH', 'push')}$`),
    )

    const used = await shell(
      place,
      ". ./lines; roomctl room list -q | head -1; sh -c '. ./lines; roomctl room show r-retro -q'",
    )
    expect(used).toMatchObject({stdout: 'r-standup\nr-retro\n', stderr: ''})
    const curl = await shell(
      place,
      '. ./lines; curl -sS -H "Authorization: Bearer $ROOMCTL_ROOM_TOKEN" "$ROOMCTL_ROOM_URL/v1/rooms/r-standup"; curl -sS "$ROOMCTL_ROOM_URL/v1/rooms"',
    )
    const [room = '', refused = ''] = curl.stdout.split(/(?<=\})(?=\{)/)
    expect(JSON.parse(room)).toMatchObject({status: 'SUCCESS', data: {room_id: 'r-standup', room_status: 'MEETING'}})
    expect(JSON.parse(refused)).toMatchObject({status: 'FAIL', error_code: 'CE200'})

    const port = Number(/:(\d+)\//.exec(lines)?.[1])
    const idle = net.connect(port, '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({exit: 130, signal: null})
    idle.destroy()
    expect(await canListen(port)).toBe(true)
  })

  test('a request under way when it is stopped is answered or cut off, and it ends all the same', async () => {
    const place = freshPlace()
    const running = start(place, 'exec roomctl sandbox start --port 0 --latency 30s > lines')
    await running.prints('Ctrl-C to stop')
    const client = start(place, '. ./lines; roomctl room list --timeout 20s --retries 0 --debug')
    await client.prints('> GET')
    running.child.kill('SIGINT')
    expect((await running.ended).exit).toBe(130)
    expect((await client.ended).exit).toBe(10)
  })
})

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

describe('one world for several processes', () => {
  test('commands at once on the embedded sandbox all find their change kept', async () => {
    const place = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    const names = Array.from({length: 8}, (_, at) => `Room ${at}`)
    const made = await Promise.all(
      [names.slice(0, 4), names.slice(4)].map((some) =>
        shell(
          place,
          some
            .map((name) => `roomctl room create '${name}' --created-by ann -q`)
            .join(' & ')
            .concat('; wait'),
        ),
      ),
    )
    const ids = made.flatMap(({stdout}) => stdout.trim().split('\n'))
    expect(new Set(ids).size).toBe(8)
    const list = await shell(place, "roomctl room list -o json --query '[].name'")
    expect(JSON.parse(list.stdout).sort()).toEqual(names)
  })

  test('of several that end one room at once, one ends it and the others are reported', async () => {
    const place = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    await shell(place, 'roomctl sandbox reset --seed demo')
    const end = () => shell(place, 'roomctl room end r-standup --yes --as ann')
    const ends = await Promise.all([end(), end(), end()])
    expect(ends.map(({exit}) => exit).sort()).toEqual([0, 7, 7])
    expect(ends.filter(({stderr}) => stderr.includes('ER001'))).toHaveLength(2)
  })

  test('sandbox enter and leave play into a sandbox that is being served', async () => {
    const place = freshPlace()
    const data = path.join(place.dir, 'shared world')
    const running = start(place, `exec roomctl sandbox start --port 0 --seed demo --data '${data}' > lines`)
    await running.prints('Ctrl-C to stop')
    const ran = await shell(
      place,
      `. ./lines
       show() { roomctl room show r-townhall -o json --query "{state: room_status, host: attendees[?is_host].user_id | [0], present: attendees[?is_present].user_id}"; }
       roomctl sandbox enter r-townhall ann --data '${data}' >&2 && roomctl sandbox enter r-townhall ben --data '${data}' >&2
       show
       roomctl sandbox leave r-townhall ann --data '${data}' >&2
       show
       roomctl room end r-townhall --yes
       roomctl room show r-townhall -o json --query room_status`,
    )
    expect(ran.exit).toBe(0)
    const [entered, left, ended, status] = ran.stdout.split(/(?<=\}\n)|(?<=\)\n)/)
    expect(JSON.parse(entered ?? '')).toEqual({state: 'MEETING', host: 'ann', present: ['ann', 'ben']})
    expect(JSON.parse(left ?? '')).toEqual({state: 'MEETING', host: 'ben', present: ['ben']})
    expect(ended).toBe('ended room r-townhall as ben (host)\n')
    expect(status).toBe('"ENDED"\n')
    running.child.kill('SIGINT')
    await running.ended
  })

  test('the token of the sandbox is public, and any other is refused', async () => {
    const place = freshPlace()
    const running = start(place, 'exec roomctl sandbox start --port 0 > lines')
    await running.prints('Ctrl-C to stop')
    const ran = await shell(place, `. ./lines; ROOMCTL_ROOM_TOKEN=${token} roomctl room list`)
    expect(ran).toMatchObject({exit: 4, stdout: ''})
    expect(ran.stderr).toContain('CE200')
    running.child.kill('SIGINT')
    await running.ended
  })
})
