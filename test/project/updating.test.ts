import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {Machine} from './machine.js'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/updating.md'), 'utf8')
const blocks = [...page.matchAll(/```sh\n(.*?)```/gsu)].map(([, text = '']) => text)

let machine: Machine
let home: string

/** A home in which each kind of thing that is kept was kept, the cache included. */
beforeAll(async () => {
  machine = Machine.make({ROOMCTL_CACHE_DIR: ''})
  home = path.join(machine.folder, 'home')
  const lines = [
    'roomctl config profile add live --room-url https://rooms.test/media',
    'printf %s a-token | roomctl config login room -p live --no-check',
    'roomctl sandbox seed',
    'roomctl room end r-standup --yes -p sandbox',
    'echo bytes > level.bundle && roomctl asset upload games/puzzle level.bundle --platform ios --description x -p sandbox',
    'mkdir -p ~/.local/share/bash-completion/completions',
    'roomctl completion bash > ~/.local/share/bash-completion/completions/roomctl',
  ]
  for (const line of lines) expect(await machine.type(line), line).toMatchObject({exit: 0})
})

afterAll(() => {
  machine.remove()
})

const kept = () =>
  readdirSync(home, {recursive: true, withFileTypes: true})
    .filter((one) => one.isFile())
    .map((one) => path.relative(home, path.join(one.parentPath, one.name)))

describe('the page about updating and removing', () => {
  test('has at most 60 lines', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  })

  test('says what a later version left: refused, named, and not touched', () =>
    everyCase(
      [
        ['.config/roomctl/config.json', /"version": \d+/u, '"version": 99', 'room list', 3],
        ['.local/share/roomctl/sandbox/world.json', /"version": ?\d+/u, '"version":99', 'room list -p sandbox', 14],
        [
          '.local/state/roomctl/uploads/uploads.jsonl',
          /"v":\d+,"crc":"\w+"/u,
          '"v":99',
          'asset uploads -p sandbox',
          14,
        ],
      ] as const,
      async (name, version, later, line, exit) => {
        const file = path.join(home, name)
        const before = readFileSync(file, 'utf8')
        const text = before.replace(version, later)
        expect(text).not.toBe(before)
        writeFileSync(file, text)
        const ran = await machine.type(`roomctl ${line}`)
        expect(readFileSync(file, 'utf8')).toBe(text)
        writeFileSync(file, before)
        expect(ran).toMatchObject({exit, stdout: '', stderr: expect.stringContaining(file)})
      },
    ))

  test('names every place where something stays, and how it goes', async () => {
    const places = [...page.matchAll(/^\| `~\/(\S+)` \|/gmu)].map(([, place = '']) => place)
    const other = kept().filter((file) => !places.some((place) => file.startsWith(`${place}/`)))
    expect(other).toEqual(['.local/share/bash-completion/completions/roomctl'])
    for (const place of places)
      expect(
        kept().some((file) => file.startsWith(`${place}/`)),
        place,
      ).toBe(true)
    for (const line of blocks) expect(await machine.type(line)).toMatchObject({exit: 0})
    expect(kept()).toEqual([])
  })
})
