import {describe, expect, test} from 'vitest'
import {cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {terminal} from './answers.js'
import {live, writeProfiles} from './live.js'

const people = {columns: 80, env: {NO_COLOR: '1'}}

describe('on a terminal the deployment is named by profile and host', () => {
  const host = (origin: string) => new URL(origin).host

  test('in every kind of question', async () => {
    const questions = [
      {line: 'room end r-standup', answers: [true]},
      {line: 'room end r-standup r-party', answers: ['2']},
      {line: 'room delete r-retro', answers: ['Sprint retro']},
      {line: 'attendee block r-standup ben', answers: [true]},
      {line: 'room update r-standup --name Daily', answers: ['live'], settings: {protected: true}},
      {line: 'api room POST /v1/rooms', answers: ['live'], settings: {protected: true}},
      {line: 'push broadcast --to ANDROID --title t --body b --application-id app-1', answers: ['app-1']},
      {line: 'push register ann --type IOS', answers: ['ab'.repeat(32)]},
    ]
    await everyCase(questions, async ({line, answers, settings}) => {
      const service = await live(settings)
      const ran = await service.cli(line, terminal(200, ...answers))
      expect(ran.asked).toHaveLength(1)
      expect(ran.asked[0]).toContain(` on live (${host(service.origin)})`)
    })
  })

  test('in every picker', async () => {
    const service = await live()
    const ran = await service.cli('room delegate', terminal(200, 'r-standup', 'ben'))
    expect(ran.asked.map((question) => question.replace(/\?.*/u, '?'))).toEqual([
      `Which room on live (${host(service.origin)})?`,
      `Which user on live (${host(service.origin)})?`,
    ])
  })

  test('once beside a change without a question', async () => {
    const changes = [
      'room end r-standup --yes',
      'room end r-standup r-party --yes',
      'attendee add r-standup zoe',
      'room end r-standup --yes -o json',
      'api room POST /v1/rooms -f name=x',
      'push send ann --title t --body b --type ANDROID',
    ]
    await everyCase(changes, async (line) => {
      const service = await live()
      const {stderr, stdout} = await service.cli(line, people)
      expect(stderr.split(`on live (${host(service.origin)})\n`)).toHaveLength(2)
      expect(stdout).not.toContain('on live')
    })
  })

  test('but not with -q, in a dry run, for a read, or off a terminal', async () => {
    const silent = [
      {line: 'room end r-standup --yes -q', circumstances: people},
      {line: 'room end r-standup --dry-run', circumstances: people},
      {line: 'room list', circumstances: people},
      {line: 'room end r-standup --yes'},
      {line: 'room end r-standup r-party --yes'},
    ]
    await everyCase(silent, async ({line, circumstances = {}}) => {
      const service = await live()
      expect((await service.cli(line, circumstances)).stderr).not.toContain('on live')
    })
  })

  test('the sandbox as built in, and what the environment alone addresses by its host', async () => {
    const service = await live()
    const sandbox = await cli('room end r-standup', terminal(200, false))
    expect(sandbox.asked[0]).toMatch(/ on sandbox \(built in\)\?$/u)
    writeProfiles(service.home, {})
    const env = {
      NO_COLOR: '1',
      ROOMCTL_ROOM_URL: `${service.origin}/media`,
      ROOMCTL_ROOM_TOKEN: 'x',
      ROOMCTL_PROFILE: '',
    }
    const bare = await cli('room end r-standup --as ann --yes', {home: service.home, columns: 200, env})
    expect(bare.stderr).toContain(`on ${host(service.origin)}\n`)
  })

  test('by the host of the service that it is about, without what else its address holds', async () => {
    const service = await live({'room.url': 'https://rooms.example.com/media', protected: true})
    const ran = await service.cli('push send ann --title t --body b --type ANDROID', terminal(200, 'no'))
    expect(ran.asked[0]).toContain(` on live (${host(service.origin)})?`)
  })
})
