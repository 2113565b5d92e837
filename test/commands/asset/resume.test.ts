import {mkdirSync, renameSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {demoStore} from '../../support/cli.js'
import {sealed} from '../../support/logText.js'
import {terminal} from '../answers.js'
import {cutOff, idOf, known, ledgerFile, ledgerText, part} from './cutOff.js'
import {bench, creates, header, patches} from './uploads.js'

const resume = ['asset', 'resume', '--chunk-size', '64KiB']

describe('asset resume', () => {
  test('has nothing to do where nothing is unfinished', async () => {
    const own = await bench()
    expect(await own.cli(['asset', 'resume', '-o', 'json'])).toMatchObject({exit: 0, stdout: '[]\n', sent: []})
    const ran = await own.cli(['asset', 'resume'], terminal(80))
    expect(ran).toMatchObject({exit: 0, stdout: '', stderr: 'no unfinished uploads to resume\n'})
  })

  test('sends only the rest of every unfinished upload, and the bytes are equal', async () => {
    const own = await bench()
    const [a, b] = [own.file('a.bundle', 3 * part), own.file('b.bundle', 2 * part + 7)]
    await cutOff(own, [a], 2)
    await cutOff(own, [b], 1)
    const {exit, stdout, stderr, sent, asked} = await own.cli([...resume, '-o', 'json'])
    expect({exit, asked, creates: creates(sent)}).toEqual({exit: 0, asked: [], creates: []})
    const rows = JSON.parse(stdout)
    expect(rows).toMatchObject([
      {file: a.path, bytes: 3 * part, sha256: a.sha256, outcome: 'done', resumed_from: 2 * part},
      {file: b.path, bytes: 2 * part + 7, sha256: b.sha256, outcome: 'done', resumed_from: part},
    ])
    const starts = patches(sent).map((one) => Number(header(one, 'Upload-Offset')))
    expect(starts.sort((one, other) => one - other)).toEqual([part, 2 * part, 2 * part])
    for (const [at, {sha256}] of [a, b].entries()) expect(await own.bytesOf(rows[at].uuid)).toBe(sha256)
    expect(stderr).toContain('uploaded 2 files')
    expect(await known(own)).toEqual([])
  })

  test('shows at 80 columns which upload failed, even if two paths differ only in the middle', async () => {
    const own = await bench()
    const long = 'a-folder-of-bundles-with-a-long-name'
    const work = dirname(own.file('other.bundle', 1).path)
    const files = ['one', 'two'].map((name) => {
      const folder = join(long, name, long)
      mkdirSync(join(work, folder), {recursive: true})
      return own.file(join(folder, 'level.bundle'), 2 * part)
    })
    for (const file of files) await cutOff(own, [file], 1)
    const ids = (await known(own)).map(({id}) => String(id))
    for (const {path} of files) rmSync(path)
    const {exit, stdout} = await own.cli(resume, {...terminal(80), env: {NO_COLOR: '1'}})
    expect(exit).toBe(11)
    for (const id of ids) expect(stdout.split('\n').filter((line) => line.includes(id))).not.toEqual([])
    expect(stdout.match(/failed/gu)).toHaveLength(2)
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  test('takes those that are named, each once', async () => {
    const own = await bench()
    await cutOff(own, [own.file('a.bundle', 2 * part)], 1)
    const id = await idOf(own)
    await cutOff(own, [own.file('b.bundle', 2 * part)], 1)
    expect((await own.cli([...resume, id, id, '-q'])).stdout.trim().split('\n')).toHaveLength(1)
    expect((await known(own)).map(({file}) => file)).toEqual(['b.bundle'])
  })

  test.each([
    ['of the same size', (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte)))],
    ['of another size', (bytes: Buffer) => bytes.subarray(1)],
  ])('refuses a file %s that has changed since, and names the command that uploads it', async (_, change) => {
    const own = await bench()
    const file = own.file('a.bundle', 3 * part)
    await cutOff(own, [file], 2)
    writeFileSync(file.path, change(Buffer.from(file.bytes)))
    const {exit, stderr, sent} = await own.cli(resume)
    expect({exit, sent}).toEqual({exit: 14, sent: []})
    expect(stderr).toContain(
      `try: roomctl asset upload games/puzzle ${file.path} --platform ios --name a.bundle --description d`,
    )
    expect(await own.cli([...resume, '--dry-run'])).toMatchObject({exit: 14, sent: []})
  })

  test('recognises a file if only its times have changed', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 3 * part)
    await cutOff(own, [file], 2)
    utimesSync(file.path, 1000, 1000)
    const [row] = JSON.parse((await own.cli([...resume, '-o', 'json'])).stdout)
    expect(row).toMatchObject({outcome: 'done', sha256: file.sha256, resumed_from: 2 * part})
  })

  test('of a file that is not here says how to upload it from where it is, and continues with the others', async () => {
    const own = await bench()
    const [a, b] = [own.file('a.bundle', 2 * part), own.file("b's.bundle", 2 * part)]
    await cutOff(own, [a], 1)
    const id = await idOf(own)
    await cutOff(own, [b], 1)
    const moved = join(own.home, 'moved.bundle')
    renameSync(a.path, moved)
    const both = await own.cli([...resume, '-o', 'json'])
    expect(both.exit).toBe(11)
    expect(JSON.parse(both.stdout)).toMatchObject([
      {file: a.path, outcome: 'failed', error: {code: 'file-not-here', exit_code: 14}},
      {file: b.path, outcome: 'done'},
    ])
    const alone = await own.cli([...resume, id])
    expect(alone).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(alone.stderr).toBe(
      [
        `error: cannot upload ${a.path} to games/puzzle: no such file`,
        `  why: upload ${id} began with the file at that path, perhaps on another machine`,
        '  try: from the folder where the file is now: roomctl asset upload games/puzzle a.bundle --platform ios --name a.bundle --description d\n',
      ].join('\n'),
    )
    const words = ['asset', 'upload', 'games/puzzle', moved, '--platform', 'ios', '--name', 'a.bundle']
    const again = await own.cli([...words, '--description', 'd', '-o', 'json'])
    expect(JSON.parse(again.stdout)).toMatchObject([{outcome: 'done', sha256: a.sha256, resumed_from: part}])
  })

  test('shows with --dry-run where it would go on, and sends nothing', async () => {
    const own = await bench()
    await cutOff(own, [own.file('a.bundle', 3 * part)], 2)
    const {exit, stdout, sent} = await own.cli([...resume, '--dry-run'])
    expect({exit, sent}).toEqual({exit: 0, sent: []})
    expect(stdout).toContain(`at byte ${2 * part} of ${3 * part}`)
  })

  test('of an upload that is finished or unknown says so', async () => {
    const own = await bench()
    const {stdout} = await own.upload([own.file('a.bundle', 10)], ['-q'])
    const [row] = await known(own, ['--all'])
    const done = await own.cli([...resume, String(row?.id)])
    expect(done).toMatchObject({exit: 7, sent: []})
    expect(done.stderr).toContain(`why: the service has the file as games/puzzle/${stdout.trim()}`)
    expect(await own.cli([...resume, 'ffff'])).toMatchObject({exit: 6, sent: []})
  })
})

describe('an entry that was tampered with', () => {
  test('and leads to another origin or a user name is refused, and nothing is sent there', async () => {
    const own = await bench()
    await cutOff(own, [own.file('a.bundle', 2 * part)], 1)
    for (const origin of ['http://evil.example.com', 'http://user:pw@sandbox.localhost']) {
      const url = `"url":"${origin}/asset/games/puzzle/x"`
      writeFileSync(ledgerFile(own), sealed(ledgerText(own).replace(/"url":"[^"]+"/u, url)))
      const {exit, stderr, sent} = await own.cli(resume)
      expect({exit, sent}).toEqual({exit: 14, sent: []})
      expect(stderr).toMatch(/try: before you upload it again: roomctl asset forget [0-9a-f]{16}\n/u)
      expect(stderr).not.toContain('pw@')
    }
  })

  test.each(['with an address', 'without one'])('and names another file, %s, uploads nothing of it', async (kind) => {
    const own = await bench()
    const file = own.file('a.bundle', 2 * part)
    await cutOff(own, [file], 1)
    const secret = own.file('id_rsa', 2 * part)
    const invented = ledgerText(own)
      .replaceAll(file.path, secret.path)
      .split('\n')
      .filter((line) => kind === 'with an address' || !line.includes('"url"'))
    writeFileSync(ledgerFile(own), sealed(invented.join('\n')))
    const {exit, stderr, sent} = await own.cli(resume)
    expect({exit, sent}).toEqual({exit: 14, sent: []})
    expect(stderr).toContain(secret.path)
  })

  test('and goes to another service is not sent to this one', async () => {
    const own = await bench()
    await cutOff(own, [own.file('a.bundle', 2 * part)], 1)
    const id = await idOf(own)
    writeFileSync(
      ledgerFile(own),
      sealed(ledgerText(own).replace(/"base":"[^"]+"/u, '"base":"https://assets.example.com/asset"')),
    )
    const all = await own.cli([...resume, '-o', 'json'])
    expect(all).toMatchObject({exit: 0, stdout: '[]\n', sent: []})
    expect(all.stderr).toBe('1 unfinished upload goes to another service: name it with -p\n')
    const named = await own.cli([...resume, id])
    expect(named).toMatchObject({exit: 3, sent: []})
    expect(named.stderr).toContain(
      'why: it goes to https://assets.example.com/asset, and the profile names http://sandbox',
    )
  })
})

test('after a reset of the sandbox an upload starts over with a note', async () => {
  const own = await bench()
  const file = own.file('a.bundle', 2 * part)
  await cutOff(own, [file], 1)
  const {exit, stdout, stderr} = await own.cli([...resume, '-o', 'json'], {store: await demoStore()})
  expect(exit).toBe(0)
  expect(stderr).toMatch(/a\.bundle starts over/u)
  expect(JSON.parse(stdout)).toMatchObject([{outcome: 'done', sha256: file.sha256}])
})
