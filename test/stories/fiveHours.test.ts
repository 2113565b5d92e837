import {describe, expect, test} from 'vitest'
import {inOneProcess, wordsOf} from '../support/inOneProcess.js'
import {freshPlace} from './place.js'

/** A typed line, its exit, and the expected stdout and stderr. */
type Line = readonly [typed: string, exit: number, shows: RegExp, env?: Readonly<Record<string, string>>]

/** The first hour of each kind of user with what a newcomer types, from an empty home. */
const hours: Readonly<Record<string, readonly Line[]>> = {
  operator: [
    ['roomctl sandbox seed', 0, /13 rooms/u],
    ['roomctl config profile use sandbox', 0, /sandbox/u],
    ['roomctl rooms', 2, /unknown command "rooms"\n +try: roomctl room/u],
    ['roomctl room ls', 2, /unknown command "room ls"\n +try: roomctl room list/u],
    ['roomctl room end r-stand --yes', 6, /r-stand/u],
    ['roomctl room end "test-*" --yes', 6, /does not exist|--match/u],
    ['roomctl room end --match "test-*" --yes', 0, /done/u],
    ['roomctl history --limit 1', 0, /room\.end/u],
  ],
  support: [
    ['roomctl', 0, /FIRST STEPS/u],
    ['roomctl sandbox seed', 0, /13 rooms/u],
    ['roomctl room list', 3, /roomctl config init/u],
    ['roomctl config profile use sandbox', 0, /sandbox/u],
    ['roomctl user why gina', 2, /roomctl attendee why gina/u],
    ['roomctl attendee find gina', 0, /gina is on no attendee list of 13 rooms/u],
    ['roomctl attendee why r-full gina', 7, /^gina cannot enter r-full "Interview" \(MEETING\)\n.*3 of 3 present/u],
    ['roomctl room update r-full --max 4', 0, /r-full/u],
    ['roomctl attendee why r-full gina', 0, /gina/u],
    ['roomctl attendee kick r-standup ben', 2, /roomctl attendee block r-standup ben/u],
    ['roomctl attendee block r-standup ben', 13, /--yes/u],
    ['roomctl attendee block r-standup ben --yes', 0, /ben/u],
    ['roomctl explain CE001', 0, /CE001/u],
  ],
  CI: [
    ['roomctl sandbox seed --files .', 0, /13 rooms/u],
    ['roomctl asset sync games/new build --platform ios', 3, /ROOMCTL_ASSET_URL|config init/u],
    ['roomctl asset sync games/new build --platform ios', 6, /--create/u, {ROOMCTL_PROFILE: 'sandbox'}],
    [
      'roomctl asset sync games/new build --platform ios --create',
      0,
      /board\.bundle[\s\S]*uploaded 2 files/u,
      {ROOMCTL_PROFILE: 'sandbox'},
    ],
    ['roomctl asset sync games/new build --platform ios', 0, /unchanged|already/u, {ROOMCTL_PROFILE: 'sandbox'}],
    ['roomctl asset list games/new -o json --query "length(@)"', 0, /^[1-9]\d*\n$/u, {ROOMCTL_PROFILE: 'sandbox'}],
    ['roomctl asset sync games/new build --platform beos', 2, /--platform/u, {ROOMCTL_PROFILE: 'sandbox'}],
  ],
  'push admin': [
    ['roomctl sandbox seed --files .', 0, /13 rooms/u],
    ['roomctl config profile use sandbox', 0, /sandbox/u],
    ['roomctl push inspect AuthKey_ABC123DEFG.p8', 0, /P-256/u],
    ['roomctl push ios-key', 2, /FILE is missing/u],
    ['roomctl push ios-key AuthKey_ABC123DEFG.p8', 3, /add --application-id/u],
    [
      'roomctl push ios-key AuthKey_ABC123DEFG.p8 --bundle-id com.example.shop --team-id TEAM123456 --application-id shop --dry-run',
      0,
      /POST/u,
    ],
    [
      'roomctl push ios-key AuthKey_ABC123DEFG.p8 --bundle-id com.example.shop --team-id TEAM123456 --application-id shop',
      0,
      /shop/u,
    ],
    ['roomctl push show --application-id shop', 0, /ABC123DEFG/u],
    ['roomctl push send ann', 2, /--title and --body are missing/u],
    ['roomctl push send ann --title Hello --body World', 0, /ann +done +SUCCESS/u],
    ['roomctl history', 0, /push\.iosKey/u],
  ],
  agent: [
    ['roomctl help room end -o json', 0, /"changes": true/u],
    ['roomctl -p sandbox sandbox seed', 0, /13 rooms/u],
    ['roomctl -p sandbox room list -o json --query "[].room_id" -r', 0, /^r-standup\nr-party\n/u],
    ['roomctl -p sandbox room end r-standup -o json', 13, /"exit_code":\s?13/u, {ROOMCTL_READ_ONLY: '1'}],
    ['roomctl -p sandbox room end --match "test-*" --dry-run -o json', 0, /"room\.end"/u],
    ['roomctl -p sandbox room end r-standup -o json', 13, /"code":\s?"[a-z-]+"/u],
    ['roomctl -p sandbox room ends r-standup -o json', 2, /roomctl -p sandbox room end|roomctl room end/u],
  ],
}

describe.each(Object.entries(hours))('the first hour of %s', (_, lines) => {
  test('ends each line as it says, and names the next step', {timeout: 90_000}, async () => {
    const {dir: cwd, env} = freshPlace()
    const type = inOneProcess()
    const words = wordsOf(lines.map(([typed]) => typed))
    const wrong: unknown[] = []
    for (const [at, [typed, exit, shows, more]] of lines.entries()) {
      const ran = await type({words: words[at] ?? [], cwd, env: {...env, ...more}})
      const read = `${ran.stdout}${ran.stderr}`
      if (ran.exit !== exit || !shows.test(read)) wrong.push(typed, ran.exit, read)
      expect(read).not.toMatch(/internal error|undefined|\[object/u)
    }
    expect(wrong).toEqual([])
  })
})
