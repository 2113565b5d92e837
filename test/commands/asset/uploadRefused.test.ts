import {describe, expect, test} from 'vitest'
import {everyCase} from '../../support/everyCase.js'
import {bench} from './uploads.js'

describe('files that cannot be uploaded', () => {
  test('are all listed before anything is sent', async () => {
    const own = await bench()
    const good = own.file('a.bundle', 10)
    const {exit, stdout, stderr, sent} = await own.upload([good, own.home, '-', 'gone.bundle', '/dev/null'])
    expect({exit, stdout, sent}).toEqual({exit: 14, stdout: '', sent: []})
    expect(stderr.split('\n')).toEqual([
      'error: cannot upload 4 of the files to games/puzzle, so nothing was sent',
      `  why: ${own.home}: it is a folder; -: stdin is not a file: an upload reads its bytes again when it is resumed; ` +
        `gone.bundle: no such file; /dev/null: it is not a regular file`,
      `  try: roomctl asset sync games/puzzle ${own.home} --platform ios`,
      '',
    ])
  })

  test('of one have a reason', async () => {
    const own = await bench()
    const stderr = 'error: cannot upload gone.bundle to games/puzzle: no such file\n  why: nothing was sent\n'
    for (const more of [[], ['--dry-run']]) {
      expect(await own.upload(['gone.bundle'], more)).toMatchObject({exit: 14, stderr})
    }
  })
})

describe('a command line', () => {
  test('with a wrong flag is refused with exit 2', () =>
    everyCase(
      [
        [['--chunk-size', '1KiB'], '--chunk-size takes 64KiB or more, not 1KiB'],
        [['--chunk-size', '64MB'], '--chunk-size: "64MB" is not a number of bytes'],
        [['--concurrency', '0'], 'invalid --concurrency "0": expected a number'],
        [['--concurrency', '33'], 'invalid --concurrency "33": expected a number'],
        [['--checksum', 'md5'], '--checksum takes sha1, sha256 or none'],
        [['--link', 'a b'], 'this is not the uuid of an asset file'],
        [['--link', 'http://evil.example/asset/games/puzzle/a-level1'], 'the address is not on the asset service'],
        [['--link', '../..'], 'the path contains the name ".."'],
        [['--link', 'games/puzzle/..'], 'the path contains the name ".."'],
        [['--name', 'plain'], 'the name plain has no extension'],
        [['--name', 'a\r\nX-Evil: 1.bundle'], 'the file name holds a line break or another control character'],
        [['--columns', 'nothing'], 'nothing'],
      ],
      async (more, what) => {
        const own = await bench()
        const {exit, stdout, stderr, sent} = await own.upload([own.file('a.bundle', 10)], more)
        expect({exit, stdout, sent}).toEqual({exit: 2, stdout: '', sent: []})
        expect(stderr).toContain(what)
      },
    ))

  test('needs a platform of the document, and no empty description', async () => {
    const own = await bench()
    const {path} = own.file('a.bundle', 10)
    const words = ['asset', 'upload', 'games/puzzle', path]
    expect((await own.cli([...words, '--description', 'd'])).stderr).toContain('platform')
    const wrong = await own.cli([...words, '--platform', 'andriod', '--description', 'd'])
    expect(wrong).toMatchObject({exit: 2, sent: []})
    expect(wrong.stderr).toContain(
      '--platform takes ios, android or windows, not andriod\n  try: use --platform android',
    )
    expect((await own.cli([...words, '--platform', 'ios', '--description', ' '])).stderr).toContain('is empty')
  })

  test('takes --name for one file only, and offers it for a file without an extension', async () => {
    const own = await bench()
    const files = [own.file('a.bundle', 10), own.file('b.bundle', 10)]
    expect(await own.upload(files, ['--name', 'c.bundle'])).toMatchObject({exit: 2, sent: []})
    const {exit, stderr} = await own.upload([own.file('README', 10)])
    expect(exit).toBe(2)
    expect(stderr).toContain(
      'the name README has no extension\n  try: upload the file by itself, and give it a name with an extension with --name',
    )
  })
})
