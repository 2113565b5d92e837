import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {recordsIn} from '../../support/logText.js'
import {bench, creates, header, patches} from './uploads.js'

describe('asset upload', () => {
  test('begins with POST to the container without a slash, under the header names of the document', async () => {
    const own = await bench()
    const file = own.file('level2.bundle', 1000)
    const {exit, sent, stdout, stderr} = await own.upload([file], ['--link', 'a-catalog', '-o', 'json'])
    expect({exit, stderr}).toEqual({exit: 0, stderr: 'uploaded 1 file, 1000 B in 0ms\n'})
    const [create] = creates(sent)
    expect(create?.path).toBe('/asset/games/puzzle')
    expect(create?.headers).toMatchObject({
      Original_File_Name: 'level2.bundle',
      'Upload-Length': '1000',
      Platform: 'ios',
      Description: 'd',
      Asset_Resource_File_Id: 'a-catalog',
      'Tus-Resumable': '1.0.0',
    })
    const [row] = JSON.parse(stdout)
    expect(row).toEqual({
      file: file.path,
      uuid: expect.stringMatching(/^[\w-]+$/u),
      bytes: 1000,
      sha256: file.sha256,
      outcome: 'done',
    })
    expect(await own.bytesOf(row.uuid)).toBe(file.sha256)
  })

  test('sends several files and gives one result for each in their order', async () => {
    const own = await bench()
    const files = [own.file('b.bundle', 70_000), own.file('a.bundle', 3), own.file('c.bundle', 0)]
    const {exit, stdout, stderr} = await own.upload(files, ['-o', 'json'])
    expect(exit).toBe(0)
    const rows = JSON.parse(stdout)
    expect(rows.map((row: {file: string; sha256: string}) => [row.file, row.sha256])).toEqual(
      files.map(({path, sha256}) => [path, sha256]),
    )
    for (const [at, {sha256}] of files.entries()) expect(await own.bytesOf(rows[at].uuid)).toBe(sha256)
    expect(stderr).toBe('uploaded 3 files, 68.4 KiB in 0ms\n')
  })

  test('sends a Korean name percent-encoded, and as its UTF-8 where the profile or the environment says raw', async () => {
    const own = await bench()
    const file = own.file('한글 100%.bundle', 5)
    const percent = await own.upload([file])
    expect(header(creates(percent.sent)[0] ?? {headers: {}}, 'Original_File_Name')).toBe(
      '%ED%95%9C%EA%B8%80 100%25.bundle',
    )
    const raw = await own.upload([file], ['--fresh', '--verify', 'none'], {env: {ROOMCTL_ASSET_HEADER_ENCODING: 'raw'}})
    const sent = header(creates(raw.sent)[0] ?? {headers: {}}, 'Original_File_Name') ?? ''
    expect(Buffer.from(sent, 'latin1').toString()).toBe('한글 100%.bundle')
  })

  test('cuts a file into chunks, each with its checksum of the algorithm that was asked for', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 150_000)
    const sha1 = await own.upload([file], ['--chunk-size', '64KiB'])
    expect(patches(sha1.sent).map((one) => [header(one, 'Upload-Offset'), header(one, 'Content-Length')])).toEqual([
      ['0', '65536'],
      ['65536', '65536'],
      ['131072', '18928'],
    ])
    for (const one of patches(sha1.sent)) expect(header(one, 'Upload-Checksum')).toMatch(/^sha1 [\w+/]{27}=$/u)
    const none = await own.upload([file], ['--fresh', '--checksum', 'none'])
    expect(patches(none.sent).map((one) => header(one, 'Upload-Checksum'))).toEqual([undefined])
    const sha256 = await own.upload([file], ['--fresh', '--checksum', 'sha256'])
    expect(header(patches(sha256.sent)[0] ?? {headers: {}}, 'Upload-Checksum')).toMatch(/^sha256 [\w+/]{43}=$/u)
  })

  test('reads the metadata back after the last byte, unless a flag says no', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 10)
    const reads = async (level: string) => {
      const {sent} = await own.upload([file], ['--fresh', '--verify', level])
      return sent.filter(({method}) => method === 'GET').map(({path}) => path.replace(/[^/]*$/u, '').slice(0, 20))
    }
    expect(await reads('meta')).toEqual(['/asset/games/puzzle/'])
    expect(await reads('none')).toEqual([])
    expect((await reads('download')).at(-1)).toMatch(/^\/asset-data\//u)
  })

  test('takes a name, a platform in any case, and the uri of a container and of an asset file', async () => {
    const own = await bench()
    const {path} = own.file('README', 10)
    const words = ['asset', 'upload', '/asset/games/puzzle/', path, '--name', 'readme.txt', '--platform', 'Android']
    const link = ['--link', '/asset/games/puzzle/a-level1?type=asset', '--description', 'd']
    const {exit, sent} = await own.cli([...words, ...link])
    expect(exit).toBe(0)
    expect(creates(sent)[0]).toMatchObject({
      path: '/asset/games/puzzle',
      headers: {Original_File_Name: 'readme.txt', Platform: 'android', Asset_Resource_File_Id: 'a-level1'},
    })
  })

  test('describes a file by its name where no description is given', async () => {
    const own = await bench()
    const [{path: a}, {path: b}] = [own.file('a.bundle', 10), own.file('b.bundle', 10)]
    const {sent} = await own.cli(['asset', 'upload', 'games/puzzle', a, b, '--platform', 'ios', '--concurrency', '1'])
    expect(creates(sent).map((one) => header(one, 'Description'))).toEqual(['a.bundle', 'b.bundle'])
  })

  test('names each file once, and warns where two are sent under one name', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 10)
    const once = await own.upload([file, file])
    expect({exit: once.exit, posts: creates(once.sent).length, stderr: once.stderr}).toEqual({
      exit: 0,
      posts: 1,
      stderr: 'uploaded 1 file, 10 B in 0ms\n',
    })
    mkdirSync(join(own.home, 'other'))
    const other = join(own.home, 'other', 'a.bundle')
    writeFileSync(other, 'not the same')
    const twice = await own.upload([file, other])
    expect(twice.exit).toBe(0)
    expect(twice.stderr).toContain('warning: several files are uploaded as a.bundle; only their uuid')
  })

  test('run again sends nothing of what ledger and listing prove to be there, and looks at it once more', async () => {
    const own = await bench()
    const files = [own.file('a.bundle', 70_000), own.file('b.bundle', 10)]
    const first = JSON.parse((await own.upload(files, ['-o', 'json'])).stdout)
    writeFileSync(files[1]?.path ?? '', 'other 10 b')
    const {exit, sent, stdout, stderr} = await own.upload(files, ['-o', 'json'])
    expect(exit).toBe(0)
    expect(creates(sent).map((one) => header(one, 'Original_File_Name'))).toEqual(['b.bundle'])
    expect(sent.filter(({path}) => path.endsWith('?type=meta')).length).toBe(2)
    const [there, changed] = JSON.parse(stdout)
    expect(there).toEqual({...first[0], outcome: 'skipped', reason: 'unchanged', proven_by: 'ledger'})
    expect(changed.outcome).toBe('done')
    expect(stderr).toContain('uploaded 1 file, 10 B in 0ms, 1 unchanged')
    expect(creates((await own.upload(files, ['--fresh'])).sent).length).toBe(2)
  })

  test('writes one line for each file to the journal, without the content', async () => {
    const own = await bench()
    const {stdout} = await own.upload([own.file('a.bundle', 10), own.file('b.bundle', 10)], ['-q'])
    const lines = recordsIn(readFileSync(join(own.home, '.local/state/roomctl/journal.ndjson'), 'utf8'))
    expect(lines).toHaveLength(2)
    const uuids = stdout.trim().split('\n')
    expect(lines.find(({targets}) => targets.name === 'a.bundle')).toEqual({
      id: expect.any(String),
      at: '2026-12-01T12:00:00.000Z',
      profile: 'sandbox',
      operation: 'asset.upload',
      targets: {container: 'games/puzzle', uuid: uuids[0], name: 'a.bundle', platform: 'ios'},
      outcome: 'done',
    })
  })
})

describe('--dry-run', () => {
  test('shows the create request of a file and sends only reads', async () => {
    const own = await bench()
    const {exit, stdout, sent} = await own.upload([own.file('a.bundle', 10)], ['--dry-run'])
    expect({exit, methods: sent.map(({method}) => method)}).toEqual({exit: 0, methods: ['GET']})
    expect(stdout.split('\n').slice(0, -2)).toEqual([
      'would send: POST http://sandbox.localhost/asset/games/puzzle',
      '  Tus-Resumable: 1.0.0',
      '  Upload-Length: 10',
      '  Original_File_Name: a.bundle',
      '  Platform: ios',
      '  Description: d',
    ])
  })

  test('of several files is a line of each and one request; all requests with --debug', async () => {
    const own = await bench()
    const files = [own.file('a.bundle', 10), own.file('b.bundle', 20)]
    const {stdout, stderr} = await own.upload(files, ['--dry-run'])
    const [lines = '', sample = ''] = stdout.split('\n\n')
    expect(lines.split('\n')).toEqual([
      expect.stringMatching(/^would upload .*a\.bundle, 10 bytes$/u),
      expect.stringMatching(/^would upload .*b\.bundle, 20 bytes$/u),
    ])
    expect(sample).toMatch(/^sample request:\n {2}POST .*\n[\s\S]* Upload-Length: 10\n/u)
    expect(stdout).not.toContain('Upload-Length: 20')
    expect(stderr).toBe('2 files on sandbox (built in)\n')
    const whole = await own.upload(files, ['--dry-run', '--debug'])
    expect(whole.stdout.match(/^would send: POST /gmu)).toHaveLength(2)
  })
})
