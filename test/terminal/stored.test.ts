import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {settings} from '../../src/storage/profile/settings.js'
import {openLedger} from '../../src/upload/ledger/ledger.js'
import {cli, demoStore, freshHome, noon} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {beginning, withClaim} from '../unit/upload/ledger/ledgerStage.js'
import {attacks, everyAttack, expectHarmless} from './hostile.js'

const nasty = everyAttack()

/** Runs a line in every form, and on a terminal with the answer yes. */
async function shows(
  home: string,
  line: readonly string[],
  {env = {}, formats = ['json', 'csv']}: {env?: Record<string, string>; formats?: readonly string[]} = {},
): Promise<string> {
  const store = await demoStore()
  const where = {home, store, env: {...lineEnvironment, NO_COLOR: '1', ...env}}
  const forms = formats.map((format) => ['-o', format])
  const seen: string[] = []
  for (const more of [[], ...forms]) {
    const ran = await cli([...line, ...more], where)
    expectHarmless(ran, `${line.join(' ')} ${more.join(' ')}`)
    seen.push(ran.stdout, ran.stderr)
  }
  const ran = await cli(line, {...where, columns: 120, answers: [true, '1', true, nasty]})
  expectHarmless(ran, `${line.join(' ')} on a terminal`)
  return [...seen, ran.stdout, ran.stderr, ...ran.asked].join('')
}

function stored(home: string, folder: string, name: string, content: string): string {
  const place = path.join(home, folder)
  mkdirSync(place, {recursive: true, mode: 0o700})
  const file = path.join(place, name)
  writeFileSync(file, content, {mode: 0o600})
  return file
}

/** As it can stand in a file name. */
const fileNames = Object.values(attacks).map((attack) => `${attack.replace(/[/\0]/gu, '')}.bundle`)

describe('a profile file', () => {
  const configured = (content: unknown) => {
    const home = freshHome()
    stored(home, '.config/roomctl', 'config.json', typeof content === 'string' ? content : JSON.stringify(content))
    return home
  }
  const lines = ['config profile list', 'config list', 'config get requester', 'room list', 'doctor'].map((line) =>
    line.split(' '),
  )

  test.each([
    ['a name of a profile', {version: 1, current: 'work', profiles: {work: {}, [nasty]: {}}}],
    ['the name of the profile in use', {version: 1, current: nasty, profiles: {[nasty]: {requester: 'ann'}}}],
    ['the name of a profile that is not there', {version: 1, current: nasty, profiles: {work: {}}}],
    ['a setting', {version: 1, current: 'work', profiles: {work: {[nasty]: nasty}}}],
    ['a version', {version: nasty, profiles: {}}],
    [
      'a credential',
      {version: 1, current: 'work', profiles: {work: {credentials: {room: {store: nasty, origin: nasty}}}}},
    ],
    ['text that is no JSON', `{"version": 1, "profiles": {"${nasty}`],
  ])('with hostile text for %s is reported in safe text', async (_, content) => {
    const home = configured(content)
    for (const line of lines) {
      await shows(home, [...line, '-p', 'work'])
      await shows(home, line, {env: {ROOMCTL_PROFILE: nasty}, formats: []})
    }
  })

  test('with hostile text for any setting is reported in safe text', () =>
    everyCase(
      settings.map(({key}) => key),
      async (key) => {
        const profiles = {work: {'room.url': 'http://[::1]:1', [key]: nasty}}
        const home = configured({version: 1, current: 'work', profiles})
        for (const line of ['config list', 'room list']) {
          expect(await shows(home, [...line.split(' '), '-p', 'work'], {formats: []})).not.toBe('')
        }
      },
    ))

  test('that is imported is shown safely', async () => {
    const home = freshHome()
    for (const content of [{profile: nasty, settings: {[nasty]: nasty}}, {[nasty]: nasty}, `{"${nasty}`]) {
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      await shows(home, ['config', 'profile', 'import', stored(home, 'work', 'profile.json', text)])
    }
  })
})

test('a journal with hostile text is shown safely', async () => {
  const home = freshHome()
  const targets = {roomId: nasty, attendees: [nasty], applicationId: nasty, [nasty]: nasty}
  const entries = [
    'room.end',
    'room.update',
    'attendee.block',
    'attendee.add',
    'room.presenter',
    'push.broadcast',
    nasty,
  ].map((operation, at) => ({
    id: `abcdefg${at}`,
    at: at === 3 ? nasty : '2026-12-01T11:00:00Z',
    profile: at === 4 ? nasty : 'sandbox',
    by: nasty,
    operation,
    targets: at % 2 === 0 ? targets : {...targets, roomId: 'r-standup'},
    as: nasty,
    before: {name: nasty, attendees: [nasty], host: nasty},
    outcome: 'done',
    code: nasty,
  }))
  stored(home, '.local/state/roomctl', 'journal.ndjson', entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  expect(await shows(home, ['history'])).toContain('\\u{1b}')
  for (const line of ['room show r-standup', 'attendee why r-standup ben']) await shows(home, line.split(' '))
})

test('a ledger with hostile text is shown safely', async () => {
  const home = freshHome()
  const state = path.join(home, '.local/state/roomctl')
  mkdirSync(state, {recursive: true, mode: 0o700})
  const ledger = await openLedger(path.join(state, 'uploads'), {now: () => noon})
  const base = 'http://sandbox.localhost/asset'
  const facts = {base, container: nasty, name: nasty, description: nasty, path: `/${nasty}`, link: nasty}
  await withClaim(ledger, '0123456789abcdef', (claim) => {
    claim.begin(beginning('0123456789abcdef', facts))
    claim.created(`${base}/${encodeURIComponent('x')}`)
  })
  await withClaim(ledger, '0123456789abcde0', (claim) => {
    claim.begin(beginning('0123456789abcde0', {...facts, base: `https://${nasty}`}))
    claim.done({uuid: nasty, sha256: nasty})
  })
  await ledger.close()
  expect(await shows(home, ['asset', 'uploads', '--all'])).toContain('\\u{1b}')
  for (const line of ['asset resume', 'asset resume --dry-run', 'asset forget --all', 'doctor']) {
    await shows(home, line.split(' '))
  }
  await shows(home, ['asset', 'forget', nasty])
  for (const shell of ['bash', 'zsh', 'fish']) {
    const line = ['complete', '--shell', shell, '--', 'asset', 'resume', ...(shell === 'bash' ? [] : [''])]
    expectHarmless(await cli(line, {home}), line.join(' '), {tabs: true})
  }
})

describe('files with hostile names', () => {
  const home = freshHome()
  const folder = path.join(home, 'work')
  mkdirSync(folder)
  for (const name of fileNames) writeFileSync(path.join(folder, name), name)
  // Bytes that are no UTF-8 are a name, too.
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/raw`), Buffer.from([0x9b, 0x33, 0x31, 0x6d, 0xff])]), 'raw')

  test('are uploaded, looked at and taken for a secret, and shown safely', () =>
    everyCase(fileNames, async (name) => {
      const file = path.join(folder, name)
      for (const line of [
        ['asset', 'upload', 'games/puzzle', file, '--platform', 'ios', '--description', nasty],
        ['push', 'inspect', file],
        ['push', 'register', 'ann', '--type', 'ANDROID', '--token-file', file],
        ['room', 'send', 'r-standup', '--from', 'ann', '--file', file],
      ]) {
        expectHarmless(
          await cli(line, {home, env: {...lineEnvironment, NO_COLOR: '1'}, columns: 80, answers: [true, true]}),
          line.join(' '),
        )
      }
    }))

  test('are synchronised, described and sent one after the other', async () => {
    const sync = ['asset', 'sync', 'games/puzzle', folder, '--platform', 'ios', '--description', nasty]
    for (const more of [['--dry-run'], [], ['--progress', 'line'], ['--progress', 'json']]) {
      await shows(home, [...sync, ...more], {formats: ['json']})
    }
  })

  test.each(['json', 'yaml'])('stand in a manifest of %s', async (form) => {
    const entry = {path: nasty, platform: nasty, description: nasty, kind: nasty, link: nasty, [nasty]: nasty}
    for (const content of [{files: [entry]}, {files: [{...entry, platform: 'ios'}], [nasty]: nasty}, {files: nasty}]) {
      // JSON is YAML as well.
      const file = stored(home, 'manifests', `manifest.${form}`, JSON.stringify(content))
      await shows(home, ['asset', 'sync', 'games/puzzle', file])
    }
  })

  test('that a list of users, of recipients or of attendees has as its lines', async () => {
    const list = stored(home, 'lists', 'users.txt', `${nasty.replace(/\n/gu, '')}\nann\n`)
    for (const line of [
      ['attendee', 'add', 'r-standup', '--from-file', list],
      ['push', 'send', '--recipients-from', list, '--title', nasty, '--body', nasty, '--yes'],
      ['room', 'create', nasty, '--created-by', nasty, '--attendees-from', list],
    ]) {
      await shows(home, line)
    }
  })
})
