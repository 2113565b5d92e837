import {mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import {expect, test} from 'vitest'
import {freshPlace, shell} from '../stories/place.js'
import {bundled} from '../support/bundled.js'
import {jsonLines} from '../support/logText.js'
import {tool} from './tool.js'

const names = (count: number) => Array.from({length: count}, (_, n) => `p${n}`).sort()

const lines = (file: string) => jsonLines(readFileSync(file, 'utf8'))

test('of fifty processes at once none loses its line, its upload, its attendee or its profile', {
  timeout: 180_000,
}, async () => {
  const place = freshPlace()
  const seeded = await tool(place, {
    words: ['sandbox', 'reset', '--seed', 'demo', '--data', path.join(place.dir, 'sandbox')],
  })
  expect(seeded).toMatchObject({exit: 0})
  mkdirSync(path.join(place.dir, 'state'), {mode: 0o700})
  const ran = await shell(place, 'xargs -P 25 -n 1 "$NODE" "$WRITER" "$HOME" > said 2>&1; echo "$?"; cat said', {
    env: {NODE: process.execPath, WRITER: await bundled(new URL('crowdWriter.ts', import.meta.url))},
    stdin: names(50).join('\n'),
  })
  expect(ran.stdout).toBe('0\n')

  const below = (name: string) => path.join(place.dir, name)
  const journal = lines(below('state/journal.ndjson'))
  expect(journal.map(({targets}) => targets.roomId).sort()).toEqual(names(50))
  const uploads = readdirSync(below('state/uploads')).filter((name) => name !== 'runs')
  const ledger = uploads.flatMap((name) => lines(below(`state/uploads/${name}`)))
  const done = ledger.flatMap(({kind, id, done: end}) => (kind === 'done' || end ? [id] : []))
  expect(done.sort()).toEqual(names(50))
  const [room] = JSON.parse(readFileSync(below('sandbox/world.json'), 'utf8')).rooms
  const attendees = (room.attendees as {user_id: string}[])
    .map((item) => item.user_id)
    .filter((id) => /^p\d+$/u.test(id))
  expect(attendees.sort()).toEqual(names(50))
  const {profiles} = JSON.parse(readFileSync(below('config/config.json'), 'utf8'))
  expect(Object.keys(profiles).sort()).toEqual(names(50))

  const isMoved = (name: string) => /^uploads\.jsonl\.done\.[0-9a-f]{2}$/u.test(name)
  const left = ['config', 'sandbox', 'state', 'state/uploads', 'state/uploads/runs'].map((name) =>
    readdirSync(below(name))
      .filter((item) => !isMoved(item))
      .sort(),
  )
  const profile = ['config.backup.json', 'config.json']
  expect(left).toEqual([profile, ['world.json'], ['journal.ndjson', 'uploads'], ['runs', 'uploads.jsonl'], []])
  const files = uploads.map((name) => `state/uploads/${name}`)
  const kept = ['config/config.json', 'state/journal.ndjson', 'sandbox/world.json', ...files]
  expect(kept.map((name) => statSync(below(name)).mode & 0o777)).toEqual(kept.map(() => 0o600))
})
