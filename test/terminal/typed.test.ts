import {readFileSync} from 'node:fs'
import path from 'node:path'
import {describe, test} from 'vitest'
import {settings} from '../../src/storage/profile/settings.js'
import {cli, freshHome} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {everyAttack, expectHarmless} from './hostile.js'

const nasty = everyAttack()

interface Known {
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, {readonly type: 'option' | 'boolean'; readonly options?: readonly string[]}>>
}

/** The commands of the tool, as its manifest has them. */
const manifest = path.resolve(import.meta.dirname, '../../dist/oclif.manifest.json')
// The manifest is our own: what oclif writes of each command.
const commands = JSON.parse(readFileSync(manifest, 'utf8')).commands as Readonly<Record<string, Known>>
const named = Object.entries(commands).map(([id, known]) => [id.replaceAll(':', ' '), known] as const)

/** Flags that every command has are tried on one of them. */
const everywhere = new Set(Object.keys(commands['room:list']?.flags ?? {}))

async function tryLine(
  words: readonly string[],
  env: Readonly<Record<string, string>> = lineEnvironment,
): Promise<void> {
  expectHarmless(await cli(words, {env, home: freshHome(), stdin: ''}), JSON.stringify(words))
}

describe('hostile text that is typed', () => {
  test('as each word and behind each flag of every command is shown and does nothing', () =>
    everyCase(named, async (command, {args, flags}) => {
      const words = command.split(' ')
      const given = Object.keys(args)
      for (let at = 0; at <= given.length; at += 1) {
        await tryLine([...words, ...given.slice(0, at).map(() => 'r-standup'), nasty])
      }
      const own = Object.entries(flags).filter(([name]) => command === 'room list' || !everywhere.has(name))
      for (const [name, {type}] of own) {
        if (type === 'option') await tryLine([...words, ...given.map(() => 'r-standup'), `--${name}=${nasty}`])
      }
      await tryLine([...words, `--${nasty}`, nasty])
    }))
})

describe('hostile text in the environment', () => {
  const own = Object.values(settings).flatMap(({env}) => env ?? [])
  const others = ['PROFILE', 'NO_INPUT', 'DEBUG', 'ROOM_TOKEN', 'ASSET_TOKEN', 'PUSH_TOKEN', 'P12_PASSWORD']
  const folders = ['CONFIG_DIR', 'CACHE_DIR', 'STATE_DIR'].map((name) => `ROOMCTL_${name}`)
  const names = [
    ...own,
    ...others.map((name) => `ROOMCTL_${name}`),
    ...['ROOMCTL_ROUTE_ROOM_LIST', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'COLUMNS', 'TZ'],
  ]

  test('of each variable is shown and does nothing', () =>
    everyCase(names, async (name) => {
      for (const line of ['room list', 'config list -o json', 'doctor']) {
        await tryLine(line.split(' '), {...lineEnvironment, [name]: nasty})
      }
    }))

  test('of each folder is shown and does nothing', () =>
    everyCase(folders, async (name) => {
      // No folder can be made of it: the name is too long.
      for (const line of ['config list', 'history', 'asset uploads', 'config set requester ann']) {
        await tryLine(line.split(' '), {...lineEnvironment, [name]: `/dev/null/${nasty}`})
      }
    }))
})
