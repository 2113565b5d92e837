import {readdirSync, readFileSync, statSync, utimesSync, watch} from 'node:fs'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {freshPlace, type Place, several, shell, start} from './place.js'
import {token} from './service.js'

function configFile(place: Place): string {
  return path.join(place.dir, 'config/config.json')
}

/** The profiles as the file on the disk has them; it must be whole for that. */
function profilesIn(place: Place): Record<string, Record<string, unknown>> {
  return JSON.parse(readFileSync(configFile(place), 'utf8')).profiles
}

/** Settings of every kind, with a value each that no default gives. */
const values: Readonly<Record<string, string>> = {
  'room.url': 'https://rooms.example.com/media',
  'asset.url': 'https://assets.example.com',
  'push.url': 'https://push.example.com',
  applicationId: 'app-7',
  bizId: 'biz-7',
  requester: 'creator',
  output: 'yaml',
  tz: 'Asia/Seoul',
  timeout: '45s',
  retries: '4',
  concurrency: '16',
  caFile: '/etc/ca.pem',
  allowHttp: 'true',
  protected: 'true',
  readOnly: 'true',
  tokenStore: 'file',
  updateRequesterField: 'user_id',
  pager: 'less',
  'asset.headerEncoding': 'raw',
}

describe('two hundred commands that change the profile at once', () => {
  test('leave one whole file with the value of each', {timeout: 120_000}, async () => {
    const place = freshPlace()
    const profiles = Array.from({length: 12}, (_, at) => `team-${at}`)
    const settings = profiles.flatMap((profile) => Object.entries(values).map((pair) => [profile, ...pair] as const))
    const chosen = settings.slice(0, 200)
    expect(chosen).toHaveLength(200)
    const added = await shell(place, profiles.map((profile) => `roomctl config profile add ${profile}`).join(' && '))
    expect(added.exit).toBe(0)
    const script = chosen.map(([profile, key, value]) => `config set ${key} ${value} -p ${profile}`).join('\n')
    const ran = await shell(place, 'xargs -P 40 -L 1 roomctl > out 2> err; echo $?; sort -u out | wc -l; cat err', {
      stdin: script,
    })
    expect(ran.stdout).toBe('0\n200\n')

    const kept = profilesIn(place)
    const read = chosen.map(([profile, key]) => [profile, key, String(kept[profile]?.[key])])
    expect(read).toEqual(chosen.map((one) => [...one]))
    expect(readdirSync(path.dirname(configFile(place))).sort()).toEqual(['config.backup.json', 'config.json'])
    expect(statSync(configFile(place)).mode & 0o777).toBe(0o600)
  })
})

describe('a command that is killed while it changes the profile', () => {
  /** Kills `config set` at some moment; what was there before must still be there. */
  async function killed(place: Place, round: number, moment: (folder: string) => Promise<void>): Promise<void> {
    const running = start(place, `exec roomctl config set applicationId app-${round}`)
    await Promise.race([moment(path.dirname(configFile(place))), running.ended])
    running.child.kill('SIGKILL')
    await running.ended
    expect(profilesIn(place).default).toMatchObject({'room.url': 'https://rooms.example.com', retries: 4})
    expect(readFileSync(configFile(place), 'utf8')).toContain(token)
    passTime(path.dirname(configFile(place)))
  }

  /** A lock that a killed run left is taken over after ten seconds; they are over at once here. */
  function passTime(folder: string): void {
    for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.lock'))) {
      utimesSync(path.join(folder, name), new Date(0), new Date(0))
    }
  }

  /** After so many changes in the folder: locks, drafts, backups and renames. */
  const afterChanges = (count: number) => (folder: string) =>
    new Promise<void>((resolve) => {
      let left = count
      const watcher = watch(folder, () => {
        left -= 1
        if (left > 0) return
        watcher.close()
        resolve()
      })
      setTimeout(() => watcher.close(), 5_000).unref()
    })

  async function settled(): Promise<Place> {
    const place = freshPlace()
    const ran = await shell(
      place,
      'roomctl config set room.url https://rooms.example.com && roomctl config set retries 4 && roomctl config login room',
      {stdin: token},
    )
    expect(ran.exit).toBe(0)
    return place
  }

  test.each(['at a moment of chance', 'in the middle of its writing'])(
    '%s, fifteen times over, loses nothing and leaves a profile that can be changed',
    {timeout: 60_000},
    async (when) => {
      const rounds = Array.from({length: 15}, (_, round) => round)
      await several([0, 1, 2], 3, async (lane) => {
        const place = await settled()
        for (const round of rounds.filter((at) => at % 3 === lane)) {
          const byChance = () => pause(Math.random() * 300)
          await killed(place, round, when.startsWith('at') ? byChance : afterChanges(round + 1))
        }
        const after = await shell(
          place,
          'roomctl config set applicationId app-last && roomctl config get applicationId',
        )
        expect(after).toMatchObject({exit: 0, stdout: 'set applicationId in profile default\napp-last\n'})
      })
    },
  )
})
