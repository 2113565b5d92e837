import {randomInt} from 'node:crypto'
import {setTimeout as delay} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {knownKeys, newFile, oldFile, otherFile, RegisteredConfiguration, shownKey} from '../commands/push/rotating.js'
import {type Answer, pushWire} from '../commands/push/wire.js'
import {cli, type Ran} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {type GatewayAnswer, type Pushed, serveGateway} from '../support/gateway.js'
import {freshPlace, type Running, shell, start} from './place.js'

/** Kills the program at the request of this number; `after`: it is a change, and is carried out. */
interface Kill {
  readonly at: number
  readonly when: 'before' | 'after'
}

/** A push service, a gateway and a home, in which rotations are killed. */
interface Stage {
  readonly configuration: RegisteredConfiguration
  /** Runs a command in the same home, the rotation unless others are given, in this process: only a killed one needs its own. */
  run(words?: readonly string[]): Promise<Ran>
  /** Starts again with the old key registered; `refuses`: whether Apple refuses the new one. */
  reset(refuses: boolean): void
  /** Runs the rotation and kills it. */
  killed(kill: Kill): Promise<void>
  /** Runs it to its end; how long that took from the first request, in milliseconds. */
  unharmed(): Promise<number>
  /** Kills it N milliseconds after its first request. */
  killedAfter(ms: number): Promise<void>
}

async function openStage(): Promise<Stage> {
  const configuration = new RegisteredConfiguration()
  let running: Running | undefined
  let kill: Kill | undefined
  let requests = 0
  let isCarriedOut = false
  let refuses = false
  let arrived: () => void = () => undefined
  /** Counts a request; true if the program is dead by now. */
  const counted = (carryOut = () => false): boolean => {
    requests += 1
    arrived()
    if (kill?.at !== requests) return false
    isCarriedOut = kill.when === 'after' && carryOut()
    running?.child.kill('SIGKILL')
    return true
  }
  configuration.faults = (request): Answer | undefined =>
    counted(() => {
      configuration.carryOut(request)
      return request.method !== 'GET'
    })
      ? false
      : undefined
  const service = await pushWire((request, nth) => configuration.answer(request, nth))
  const answer = (request: Pushed): GatewayAnswer | undefined => {
    if (counted()) return 'silent'
    return refuses && kidOf(request) === 'NEWKEY1234' ? {status: 403, reason: 'InvalidProviderToken'} : undefined
  }
  const gateway = await serveGateway({keys: knownKeys, answer, now: () => new Date()})
  const place = freshPlace({...service.env, ROOMCTL_CA_FILE: gateway.caFile})
  const words = [
    ...['push', 'rotate', newFile, '--rollback-file', oldFile, '--application-id', 'app-1'],
    ...['--confirm', 'app-1', '--server', gateway.url, '--allow-assumed', '-o', 'json'],
  ]
  const line = `exec roomctl ${words.map((word) => `'${word}'`).join(' ')}`
  const begin = () => {
    requests = 0
    running = start(place, line)
    return running.ended
  }
  const firstRequest = () =>
    new Promise<void>((resolve) => {
      arrived = resolve
    })
  return {
    configuration,
    run: (again = words) => cli(again, {env: place.env, home: place.dir, startsAt: new Date()}),
    reset: (refused) => {
      configuration.registered = shownKey('OLDKEY1234')
      refuses = refused
    },
    killed: async (wanted) => {
      kill = wanted
      const {signal} = await begin()
      kill = undefined
      expect({signal, isCarriedOut}).toEqual({signal: 'SIGKILL', isCarriedOut: wanted.when === 'after'})
    },
    unharmed: async () => {
      const first = firstRequest()
      const ended = begin()
      await first
      const since = performance.now()
      expect((await ended).exit).toBe(0)
      return Math.ceil(performance.now() - since)
    },
    killedAfter: async (ms) => {
      const first = firstRequest()
      const ended = begin()
      await Promise.race([first, ended])
      await delay(ms)
      running?.child.kill('SIGKILL')
      await ended
    },
  }
}

function kidOf({headers}: Pushed): string {
  const head = String(headers.authorization).split(/[ .]/u)[1] ?? ''
  return JSON.parse(Buffer.from(head, 'base64url').toString()).kid
}

async function auditedState({run}: Stage): Promise<string | undefined> {
  const {stdout} = await run(['push', 'audit', '--application-id', 'app-1', '-o', 'json'])
  return JSON.parse(stdout)[0].rotation
}

/** One of both is registered, the record says which it may be, and the same command ends well. */
async function assertEndsWell(stage: Stage, refuses: boolean, isAudited: boolean): Promise<void> {
  const {configuration, run} = stage
  const both = [shownKey('OLDKEY1234'), shownKey('NEWKEY1234')]
  expect(both).toContainEqual(configuration.registered)
  if (isAudited) {
    const isNew = (configuration.registered as {key_id: string}).key_id === 'NEWKEY1234'
    const states = isNew ? ['begun', 'registered', 'proven'] : [undefined, 'begun', 'registered', 'rolled-back']
    expect(states).toContain(await auditedState(stage))
  }
  const again = await run()
  expect({
    exit: again.exit,
    registered: configuration.registered,
    stderr: again.exit === 0 ? '' : again.stderr,
  }).toEqual({
    exit: refuses ? 15 : 0,
    registered: refuses ? both[0] : both[1],
    stderr: refuses ? expect.stringContaining('"registered":"OLDKEY1234"') : '',
  })
}

test('of two rotations or registrations of one application at once the second sends nothing', async () => {
  const registering = '--bundle-id com.example.rooms --team-id TEAM123456 --prove'
  const lines = {rotate: `--rollback-file '${oldFile}'`, ios: registering}
  await everyCase(Object.entries(lines), async (command, more) => {
    const configuration = new RegisteredConfiguration()
    const service = await pushWire((request, nth) => configuration.answer(request, nth))
    let goOn: () => void = () => undefined
    const refused = new Promise<void>((resolve) => {
      goOn = resolve
    })
    // Apple is asked before anything is sent, and answers once the other one has ended.
    const answer = () => refused.then(() => undefined)
    const gateway = await serveGateway({keys: knownKeys, answer, now: () => new Date()})
    const place = freshPlace({...service.env, ROOMCTL_CA_FILE: gateway.caFile})
    const common = `--application-id app-1 --confirm app-1 --server ${gateway.url} --allow-assumed`
    const change = (file: string) => shell(place, `exec roomctl push ${command} '${file}' ${more} ${common}`)
    const both = [change(newFile), change(otherFile)]
    const first = await Promise.race(both)
    goOn()
    expect((await Promise.all(both)).map(({exit}) => exit).sort()).toEqual([0, 7])
    expect(first.stderr).toContain('another change of it runs at the same time; nothing was sent\n')
    expect(configuration.changes).toHaveLength(1)
  })
})

describe('a rotation that is killed', () => {
  test('at each of its requests, and after each change, leaves one of both keys, and the same command ends well', async () => {
    // What the record says after each request of a rotation that Apple accepts: 1 to 3 come before anything is kept.
    const states = [undefined, undefined, undefined, 'begun', 'begun', 'registered', 'registered']
    const kills = states.map((state, at) => [at + 1, 'before', false, state] as const)
    // Those that put the old key back.
    const backwards = [7, 8, 9].map((at) => [at, 'before', true, 'registered'] as const)
    const changes = [[4, 'after', false, 'begun'] as const, [8, 'after', true, 'registered'] as const]
    await everyCase(
      [...kills, ...backwards, ...changes],
      async (at, when, refuses, state) => {
        const own = await openStage()
        own.reset(refuses)
        await own.killed({at, when})
        expect(await auditedState(own)).toBe(state)
        await assertEndsWell(own, refuses, false)
        expect(await auditedState(own)).toBe(refuses ? 'rolled-back' : 'proven')
      },
      {atOnce: 4},
    )
  })

  test('40 times at random leaves one of both keys, and the same command ends well', {
    timeout: 1_200_000,
  }, async () => {
    const stages = await Promise.all(Array.from({length: 4}, openStage))
    await Promise.all(
      stages.map(async (stage, first) => {
        stage.reset(false)
        const longestMs = await stage.unharmed()
        const times = Array.from(
          {length: 10},
          (_, nth) => [randomInt(longestMs), (first + nth) % 3 === 0, nth] as const,
        )
        await everyCase(times, async (ms, refuses, nth) => {
          stage.reset(refuses)
          await stage.killedAfter(ms)
          await assertEndsWell(stage, refuses, nth === 0)
        })
      }),
    )
  })
})
