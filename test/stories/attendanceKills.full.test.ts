import {readFileSync} from 'node:fs'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {seeded} from '../../bench/kills/seeded.js'
import {freshPlace, shell, start} from './place.js'
import {environmentOf, sendJson, serve, success, summary} from './service.js'

const users = Array.from({length: 20}, (_, one) => `user-${one}`)
const kills = 8
/** Somebody stays, or stays away, over so many looks: what begins and ends unseen is in no event. */
const looksBetween = 3

test('the truth lies inside its bounds after a watch was killed again and again', {timeout: 120_000}, async () => {
  const random = seeded(26)
  const present = new Map<string, number>()
  const truth = new Map<string, number>()
  const changedAt = new Map<string, number>()
  let looks = 0
  const service = await serve((target, response) => {
    const isDetail = target.includes('r-1')
    if (isDetail) looks += 1
    const attendees = [...present.keys()].map((user_id) => ({user_id, is_present: true}))
    const room = summary('r-1', {attendees, attendee_count: {present_count: attendees.length}})
    sendJson(response, success(isDetail ? room : [room]))
  })
  const enterOrLeave = (user: string) => {
    changedAt.set(user, looks)
    const since = present.get(user)
    if (since === undefined) return present.set(user, Date.now())
    present.delete(user)
    return truth.set(user, (truth.get(user) ?? 0) + Date.now() - since)
  }
  const playUntil = async (look: number) => {
    while (looks < look) {
      await pause(20 + 60 * random())
      const user = users[Math.floor(random() * users.length)] ?? ''
      if (looks - (changedAt.get(user) ?? 0) >= looksBetween) enterOrLeave(user)
    }
  }

  const place = freshPlace(environmentOf(service))
  const watch = 'exec roomctl room watch r-1 --initial -o ndjson --interval 1s --retries 0 >> events.ndjson'
  for (let kill = 0; kill < kills; kill += 1) {
    const watching = start(place, watch)
    await playUntil(looks + 2 + Math.floor(random() * 2))
    await pause(1000 * random())
    watching.child.kill('SIGKILL')
    expect((await watching.ended).signal).toBe('SIGKILL')
  }
  const watching = start(place, watch)
  await playUntil(looks + looksBetween)
  for (const user of present.keys()) enterOrLeave(user)
  const last = looks
  while (looks < last + 2) await pause(20)
  watching.child.kill('SIGINT')
  expect((await watching.ended).exit).toBe(130)

  const runs = readFileSync(path.join(place.dir, 'events.ndjson'), 'utf8').match(/"room-seen"/gu)
  expect(runs).toHaveLength(kills + 1)
  const {stdout, exit} = await shell(place, 'roomctl room attendance events.ndjson -o json')
  expect(exit).toBe(0)
  const rows: {user_id: string; minutes_least: number; minutes_most: number | null}[] = JSON.parse(stdout)
  expect(rows.map(({user_id: user}) => user).toSorted()).toEqual([...truth.keys()].toSorted())
  const wrong = rows.filter(({user_id: user, minutes_least: least, minutes_most: most}) => {
    const minutes = (truth.get(user) ?? 0) / 60_000
    return least > minutes || most === null || most < minutes
  })
  expect(wrong).toEqual([])
})
