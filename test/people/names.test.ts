import {describe, expect, test} from 'vitest'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {cli, demoStore} from '../support/cli.js'

/** Names as people write them, from the left and from the right, and both in one. */
const names = [
  '프로젝트 착수 회의',
  'اجتماع الفريق',
  'פגישת צוות',
  'Team اجتماع 2026',
  'فريق A (2)',
  '회의 اجتماع 会議',
]
// Characters that turn or isolate the direction of a text.
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

async function named(): Promise<WorldStore> {
  const store = await demoStore()
  await store.change((world) => {
    for (const [at, room] of world.rooms.entries()) room.name = names[at % names.length] ?? ''
  })
  return store
}

describe.each([80, 200])('on a terminal of %i columns', (columns) => {
  test('names stay in the order in which they were written, and nothing is put around them', async () => {
    const store = await named()
    for (const line of ['room list --columns id,name,status', 'room show r-party', 'room list --columns name,id']) {
      const {stdout, stderr} = await cli(line, {store, columns, env: {NO_COLOR: '1'}})
      expect(`${stdout}${stderr}`).not.toMatch(directions)
      const shown = names.filter((name) => stdout.includes(name))
      expect(shown.length).toBe(line.startsWith('room show') ? 1 : names.length)
    }
  })

  test('a question and an error show them unchanged', async () => {
    const store = await named()
    const asked = await cli('room end r-party', {store, columns, answers: [false]})
    expect(names.some((name) => asked.asked[0]?.includes(`"${name}"`))).toBe(true)
    const refused = await cli(['room', 'show', 'غرفة'], {store, columns})
    expect(refused.stderr).toContain('غرفة')
    expect(`${asked.asked[0]}${refused.stderr}`).not.toMatch(directions)
  })
})
