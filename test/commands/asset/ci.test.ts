import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Transport, WireRequest} from '../../../src/api/http/wire/transport.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {files, type SyncBench, sha256, syncBench, words} from './syncs.js'
import {bench} from './uploads.js'

const json = [...words, '-o', 'json']
const github = {GITHUB_ACTIONS: 'true'}
const noonSeconds = Date.parse('2026-12-01T12:00:00Z') / 1000

/** The sandbox, which refuses to begin uploads of this file, in these words. */
function refusing(own: SyncBench, name: string, message = '') {
  const sandbox = sandboxOf(own.store)
  return async (request: WireRequest) =>
    request.method === 'POST' && request.headers.Original_File_Name === name
      ? reply(message, {status: 403})
      : sandbox(request)
}

/** The sandbox, which gives the first upload an id that is a command, in its Location. */
function commandAsId(own: SyncBench): Transport {
  const sandbox = sandboxOf(own.store)
  const command = '::add-mask::x'
  let uuid: string | undefined
  return async (request) => {
    const href = decodeURIComponent(request.url.href).replace(command, uuid ?? command)
    const answer = await sandbox({...request, url: new URL(href)})
    const {location} = answer.headers
    if (!location || uuid !== undefined) return answer
    uuid = location.split('/').at(-1) ?? ''
    return {...answer, headers: {...answer.headers, location: location.replace(uuid, command)}}
  }
}

/** The sandbox, which once does not know an upload any more, so that its file starts over. */
function forgetting(own: SyncBench): Transport {
  const sandbox = sandboxOf(own.store)
  let isForgotten = false
  return async (request) => {
    if (request.method !== 'PATCH' || isForgotten) return sandbox(request)
    isForgotten = true
    return reply('', {status: 410})
  }
}

const stampNote = 'adding sha256 to descriptions (--no-stamp: off)'

describe('--ci', () => {
  test.each(['github', 'gitlab'])(
    '%s: each file that is sent stands once in the log, and no group is empty',
    async (ci) => {
      const own = await syncBench()
      for (const [said, ...before] of [
        ['uploaded 3 files, 31 B in 0ms', stampNote, 'uploading 3 files to games/archive'],
        ['nothing uploaded in 0ms, 3 unchanged'],
      ] as const) {
        const {exit, stdout, stderr} = await own.sync([...words, '--ci', ci])
        expect(exit).toBe(0)
        expect(stderr.trimEnd().split('\n')).toEqual([...before, said])
        const times = before.length > 0 ? 1 : 0
        for (const name of Object.keys(files)) expect(`${stdout}${stderr}`.split(name)).toHaveLength(times + 1)
      }
    },
  )

  test('github: the lines about the files are in a group, and nothing is repainted', async () => {
    const own = await syncBench({'catalog.json': '{}'})
    const ran = await own.sync(words, {env: github, transport: forgetting(own)})
    expect(ran.exit).toBe(0)
    expect(ran.stderr.trimEnd().split('\n')).toEqual([
      stampNote,
      'uploading 1 file to games/archive',
      '::group::1 file to games/archive',
      expect.stringMatching(/^catalog\.json starts over: /u),
      '::endgroup::',
      'uploaded 1 file, 2 B in 0ms, 2 B sent again',
    ])
  })

  test('draws no bars on a terminal, whatever is asked for', async () => {
    const own = await syncBench()
    const more = {columns: 80, transport: forgetting(own)}
    const {stderr} = await own.sync([...words, '--ci', 'github', '--progress', 'bar'], more)
    expect(stderr).toContain('\n::group::3 files to games/archive\n')
    expect(stderr).not.toMatch(/\r|\[=|\[\d*[A-K]/u)
  })

  test('gitlab: the same in a section of its log', async () => {
    const own = await syncBench({'catalog.json': '{}'})
    const ran = await own.sync(words, {env: {GITLAB_CI: 'true'}, transport: forgetting(own)})
    expect(ran.stderr).toEqual(
      [
        stampNote,
        'uploading 1 file to games/archive',
        `\u001b[0Ksection_start:${noonSeconds}:roomctl_upload_${noonSeconds}\r\u001b[0K1 file to games/archive`,
        'catalog.json starts over: the service no longer knows the upload',
        `\u001b[0Ksection_end:${noonSeconds}:roomctl_upload_${noonSeconds}\r\u001b[0K`,
        'uploaded 1 file, 2 B in 0ms, 2 B sent again',
        '',
      ].join('\n'),
    )
  })

  test('is what the variables of the CI system say, unless it is named', () =>
    everyCase(
      [
        ['GitHub by its variable', [], github, '::group::'],
        ['GitLab by its variable', [], {GITLAB_CI: 'true'}, 'section_start'],
        ['named, over the variable', ['--ci', 'gitlab'], github, 'section_start'],
        ['named, without a variable', ['--ci', 'github'], {}, '::group::'],
        ['none', ['--ci', 'none'], github, undefined],
        ['no CI', [], {GITHUB_ACTIONS: 'false'}, undefined],
        ['progress for a program', ['--progress', 'json'], github, undefined],
        ['no progress', ['--progress', 'none'], github, undefined],
        ['ids alone', ['-q'], github, undefined],
      ] as const,
      async (_, more, env, mark) => {
        const own = await syncBench()
        const {stderr, exit} = await own.sync([...words, ...more], {env, transport: forgetting(own)})
        expect(exit).toBe(0)
        const marks = ['::group::', 'section_start'].filter((one) => stderr.includes(one))
        expect(marks).toEqual(mark === undefined ? [] : [mark])
      },
    ))

  test('leaves stdout as it is, and the table as narrow', () =>
    everyCase([[[]], [['-o', 'json']], [['-o', 'csv']], [['-o', 'yaml']], [['-q']]] as const, async (format) => {
      const own = await syncBench()
      await own.sync(words)
      const plain = await own.sync([...words, ...format])
      const ran = await own.sync([...words, ...format], {env: github})
      expect(ran.stdout).toBe(plain.stdout)
    }))

  test('names a file that failed in its row and in an annotation, and nowhere else', async () => {
    const own = await syncBench({...files, 'other.txt': 'x'})
    const ran = await own.sync(words, {env: github, transport: refusing(own, 'level.unity')})
    expect(ran.exit).toBe(11)
    const log = ran.stderr.split('\n').filter((line) => !/^(?:::error |to resume the rest: )/u.test(line))
    expect(log.join('\n')).not.toMatch(/level\.unity|level\.bundle|catalog|other|group|try:/u)
    expect(ran.stdout.split('\n').filter((line) => /^\S+\.\w+ /u.test(line))).toHaveLength(4)
    expect(ran.stderr.match(/^::error file=/gmu)).toHaveLength(1)
  })

  test('lists sent files by name, whatever the columns, and counts unchanged ones', async () => {
    const own = await syncBench()
    await own.sync(words)
    own.put({'level.unity': 'another', 'more.txt': 'x'})
    const {stderr, stdout} = await own.sync([...words, '--columns', 'uuid'], {env: github})
    expect(stdout.trimEnd().split('\n')).toHaveLength(5)
    const group = stderr.slice(stderr.indexOf('::group::'), stderr.indexOf('::endgroup::')).trimEnd().split('\n')
    expect(group).toEqual([
      '::group::3 files to games/archive',
      'done level.unity',
      'done more.txt',
      'done level.bundle',
    ])
    expect(stderr).toContain('uploaded 3 files, 18 B in 0ms, 1 unchanged')
  })

  test('names the variable of a token that is missing, before anything else', async () => {
    const own = await syncBench()
    const env = {...github, CI: 'true', ROOMCTL_PROFILE: 'none', ROOMCTL_ASSET_URL: 'http://127.0.0.1:9/asset'}
    const ran = await own.sync(words, {env})
    expect(ran).toMatchObject({exit: 3, stdout: '', sent: []})
    expect(ran.stderr).toMatch(/^::error::no token is stored/u)
    expect(ran.stderr).toContain('\n  try: set ROOMCTL_ASSET_TOKEN\n')
    expect(ran.stderr).not.toContain('uploading')
  })

  test('holds for upload and resume, too', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 200_000)
    const broken = {
      transport: async (request: WireRequest) =>
        request.method === 'PATCH' ? reply('', {status: 403}) : sandboxOf(own.store)(request),
    }
    const result = path.join(own.home, 'result.json')
    const failed = await own.upload([file], ['--result', result], {env: github, ...broken})
    expect(failed.exit).toBe(5)
    expect(failed.stderr).toContain(`\n::error file=${file.path}::cannot upload ${file.path}`)
    expect(JSON.parse(readFileSync(result, 'utf8'))).toEqual([
      {
        file: file.path,
        uuid: null,
        sha256: null,
        bytes: null,
        outcome: 'failed',
        error: expect.objectContaining({exit_code: 5}),
      },
    ])
    const resumed = await own.cli(['asset', 'resume', '--result', result], {env: github})
    expect(resumed).toMatchObject({exit: 0})
    expect(resumed.stderr).toMatch(/^uploading 1 file\nhidden columns: size, sha256\nuploaded 1 file, /u)
    expect(JSON.parse(readFileSync(result, 'utf8'))).toMatchObject([{file: file.path, outcome: 'done'}])
    await own.cli(['asset', 'resume', '--result', result])
    expect(readFileSync(result, 'utf8')).toBe('[]\n')
  })
})

describe('a failure on GitHub', () => {
  test('is an error at its file below the workspace, with its reasons', async () => {
    const own = await syncBench()
    const env = {...github, GITHUB_WORKSPACE: own.home}
    const ran = await own.sync(words, {env, transport: refusing(own, 'level.unity')})
    const [line = ''] = ran.stderr.split('\n').filter((one) => one.startsWith('::error'))
    expect(line).toMatch(/^::error file=build\/level\.unity::cannot upload level\.unity to games\/archive/u)
    expect(line).toContain('%0Atry: ')
    const said = {transport: refusing(own, 'level.unity', '{"error": "the disk is full"}'), env}
    expect((await own.sync([...words, '--fresh'], said)).stderr).toMatch(
      /^::error [^\n]*the disk is full \(HTTP 403\)%0A/mu,
    )
  })

  test('of the whole run is an error without a file', async () => {
    const own = await syncBench()
    const ran = await own.cli(['asset', 'sync', 'games/nowhere', own.folder, ...words], {env: github})
    expect(ran.exit).toBe(6)
    expect(ran.stderr).toMatch(/^::error::container games\/nowhere does not exist; nothing was sent/u)
    expect(ran.stderr).toContain('\nerror: container games/nowhere does not exist; nothing was sent\n')
  })

  test('begins no other command: names and messages are escaped wherever they stand', async () => {
    const names = ['::set-output name=a::b,c%d.x', '##[add-mask]e.x', 'f ##[debug]g.x', '::stop-commands::x.y']
    const own = await syncBench(Object.fromEntries(names.map((name) => [name, name])))
    const message = 'no\r\n::add-mask::secret\r##[error]x\n::error::y'
    const sandbox = sandboxOf(own.store)
    const transport = async (request: WireRequest) =>
      request.method === 'POST' ? reply(message, {status: 422}) : sandbox(request)
    await everyCase([[[]], [['-o', 'json']], [['--progress', 'line', '-o', 'ndjson']]] as const, async (more) => {
      const env = {...github, GITHUB_WORKSPACE: own.folder}
      const ran = await own.sync([...words, ...more], {env, transport})
      expect(ran.exit, ran.stderr).toBe(11)
      const all = `${ran.stdout}\n${ran.stderr}`
      const commands = all.split(/[\r\n]+/u).filter((line) => /^\s*::/u.test(line))
      expect(commands.filter((line) => !/^::(?:error file=|group::|endgroup::)/u.test(line))).toEqual([])
      expect(all).not.toContain('##[')
      const [first = ''] = commands.filter((line) => line.includes('set-output'))
      expect(first).toMatch(/^::error file=%3A%3Aset-output name=a%3A%3Ab%2Cc%25d.x::cannot upload/u)
      if (more.length > 0 && ran.stdout.startsWith('[')) {
        expect(
          JSON.parse(ran.stdout)
            .map(({file}: {file: string}) => file)
            .sort(),
        ).toEqual([...names].sort())
      }
    })
  })
})

describe.each(['github', 'gitlab'])('rows on stdout under --ci %s', (ci) => {
  const names = ['::set-output name=a::b.x', '##[add-mask]e.x', 'fine.x']
  const run = async (format: string) => {
    const own = await syncBench(Object.fromEntries(names.map((name) => [name, name])))
    return own.sync([...words, '--ci', ci, '-o', format])
  }

  test('are quoted in csv where one would begin a command', async () => {
    const ran = await run('csv')
    expect(ran.exit).toBe(0)
    const lines = ran.stdout.split('\n')
    expect(lines.filter((line) => /^\s*(?:::|##\[)/u.test(line))).toEqual([])
    expect(lines.map((line) => line.split(',')[0]).sort()).toEqual(
      ['', ...names.map((name) => (name === 'fine.x' ? name : `"${name}"`)), 'file'].sort(),
    )
  })

  test('are quoted in yaml where a line of the service would begin one', async () => {
    const own = await syncBench({'a.x': 'a', 'b.x': 'b'})
    const transport = refusing(own, 'a.x', 'no\n::add-mask::x\n##[error]x')
    const ran = await own.sync([...words, '--ci', ci, '-o', 'yaml'], {transport})
    expect(ran.stdout).toContain('::add-mask::x')
    expect(ran.stdout.split('\n').filter((line) => /^\s*(?:::|##\[)/u.test(line))).toEqual([])
  })

  test('are left out of tsv where one would begin a command, with a warning and exit 11', async () => {
    const ran = await run('tsv')
    expect(ran.exit).toBe(11)
    expect(ran.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['file', 'fine.x', ''])
    expect(ran.stderr).toContain('warning: 2 rows were left out of stdout: the CI system would take')
  })

  test('are left out of ids where one would begin a command, with a warning and exit 11', async () => {
    const own = await syncBench({'a.x': 'a', 'b.x': 'b'})
    const ran = await own.sync([...words, '--ci', ci, '-o', 'ids', '--verify', 'none'], {transport: commandAsId(own)})
    expect(ran.exit).toBe(11)
    expect(ran.stdout).toMatch(/^[\w-]+\n$/u)
    expect(ran.stderr).toContain('warning: 1 row was left out of stdout')
  })
})

describe('the step summary', () => {
  const withSummary = (own: SyncBench, before?: string) => {
    const file = path.join(own.home, 'summary.md')
    if (before !== undefined) writeFileSync(file, before)
    return {file, env: {...github, GITHUB_STEP_SUMMARY: file}}
  }

  test('gets counts, failures and rows after its content', async () => {
    const own = await syncBench()
    const {file, env} = withSummary(own, '# before\n')
    await own.sync(words, {env, transport: refusing(own, 'level.unity')})
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/^# before\n\n### asset sync to games\/archive\n\nuploaded 1 file, 12 B in 0ms, 1 failed/u)
    expect(text).toContain('\n| Failed | Error |\n| --- | --- |\n| level.unity | the service answered HTTP 403')
    expect(text).toContain(`\n| catalog.json | done | 12 B | ${sha256(files['catalog.json']).slice(0, 12)} |\n`)
    expect(text).toContain('\n| level.bundle | not started&#58; it belongs')
  })

  test('of a run that failed as a whole says why', async () => {
    const own = await syncBench()
    const {file, env} = withSummary(own)
    await own.cli(['asset', 'sync', 'games/nowhere', own.folder, ...words], {env})
    expect(readFileSync(file, 'utf8')).toBe(
      '\n### asset sync to games/nowhere\n\nfailed&#58; container games/nowhere does not exist&#59; nothing was sent\n',
    )
  })

  test('that cannot be written is a warning', () =>
    everyCase(
      [
        ['a folder', (file: string) => mkdirSync(file), 'it is not a file'],
        ['full', (file: string) => writeFileSync(file, 'x'.repeat(1024 * 1024)), 'it is full (1 MiB)'],
        ['elsewhere', undefined, expect.anything()],
      ] as const,
      async (_, prepare, why) => {
        const own = await syncBench()
        const {file, env} = withSummary(own)
        prepare?.(file)
        const where = prepare ? env : {...env, GITHUB_STEP_SUMMARY: path.join(file, 'none')}
        const ran = await own.sync(words, {env: where})
        expect(ran.exit).toBe(0)
        const [, said] = /^warning: the step summary was not written: (.*)$/mu.exec(ran.stderr) ?? []
        expect(said).toEqual(why)
      },
    ))

  test('is not written for GitLab, nor outside CI', () =>
    everyCase([['gitlab'], ['none']] as const, async (ci) => {
      const own = await syncBench()
      const {file, env} = withSummary(own)
      await own.sync([...words, '--ci', ci], {env})
      expect(existsSync(file)).toBe(false)
    }))
})

test('the token that a service repeats is in no annotation, summary or result', async () => {
  const own = await syncBench()
  const [summary, result] = ['summary.md', 'result.json'].map((name) => path.join(own.home, name))
  const env = {...github, GITHUB_STEP_SUMMARY: summary ?? ''}
  const transport = refusing(own, 'level.unity', '{"error": "no sandbox-application-token here"}')
  const ran = await own.sync([...words, '--result', result ?? ''], {env, transport})
  expect(ran.exit).toBe(11)
  expect(ran.stderr).toMatch(/^::error file=.*no \*+ here/mu)
  const all = [ran.stderr, ran.stdout, readFileSync(summary ?? '', 'utf8'), readFileSync(result ?? '', 'utf8')]
  expect(all.filter((text) => text.includes('sandbox-application-token'))).toEqual([])
})

describe('--result', () => {
  test('holds one object for each file, those that failed with their error', async () => {
    const own = await syncBench()
    const file = path.join(own.home, 'result.json')
    const ran = await own.sync([...json, '--result', file], {transport: refusing(own, 'level.unity')})
    expect(ran.exit).toBe(11)
    const rows = JSON.parse(readFileSync(file, 'utf8'))
    expect(rows).toEqual([
      {
        file: 'level.unity',
        uuid: null,
        sha256: null,
        bytes: null,
        outcome: 'failed',
        error: expect.objectContaining({exit_code: 5, outcome: 'none'}),
      },
      {
        file: 'catalog.json',
        uuid: expect.stringMatching(/^[\w-]+$/u),
        sha256: sha256(files['catalog.json']),
        bytes: 12,
        outcome: 'done',
      },
      {file: 'level.bundle', uuid: null, sha256: null, bytes: null, outcome: 'not-tried'},
    ])
  })

  test('names every file of a run that failed as a whole, with the reason', async () => {
    const own = await syncBench()
    const file = path.join(own.home, 'result.json')
    const ran = await own.cli(['asset', 'sync', 'games/nowhere', own.folder, ...words, '--result', file])
    expect(ran.exit).toBe(6)
    const rows = JSON.parse(readFileSync(file, 'utf8'))
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row).toMatchObject({uuid: null, outcome: 'not-tried', error: {exit_code: 6}})
    }
  })

  test('has the known facts of each file of a run that failed as a whole', async () => {
    const own = await syncBench()
    const file = path.join(own.home, 'result.json')
    const sandbox = sandboxOf(own.store)
    const transport: Transport = async (request) => {
      if (request.headers.Original_File_Name === 'catalog.json') throw new TypeError('a bug')
      return sandbox(request)
    }
    const line = [...words, '--concurrency', '1', '--result', file]
    expect((await own.sync(line, {transport})).exit).toBe(1)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([
      expect.objectContaining({file: 'catalog.json', uuid: null, outcome: 'unknown'}),
      expect.objectContaining({file: 'level.bundle', uuid: null, outcome: 'not-tried'}),
      {
        file: 'level.unity',
        uuid: expect.stringMatching(/^[\w-]+$/u),
        sha256: sha256(files['level.unity']),
        bytes: 9,
        outcome: 'done',
      },
    ])
  })

  test('that cannot be written any more after the run ends with 14, and stdout has the results', async () => {
    const own = await syncBench()
    const folder = path.join(own.home, 'out')
    mkdirSync(folder)
    const sandbox = sandboxOf(own.store)
    const transport = async (request: WireRequest) => {
      if (request.method === 'POST') mkdirSync(path.join(folder, 'result.json/x'), {recursive: true})
      return sandbox(request)
    }
    const ran = await own.sync([...json, '--result', path.join(folder, 'result.json')], {transport})
    expect(ran.exit).toBe(14)
    expect(JSON.parse(ran.stdout)).toHaveLength(3)
    expect(JSON.parse(ran.stderr).error).toMatchObject({outcome: 'applied'})
  })

  test('is not for a dry run', async () => {
    const own = await syncBench()
    const ran = await own.sync([...words, '--dry-run', '--result', path.join(own.home, 'x')])
    expect(ran).toMatchObject({exit: 2, sent: []})
  })
})
