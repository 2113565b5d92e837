import {readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {loadManifest} from '../../../../src/upload/sync/manifest.js'
import {everyCase} from '../../../support/everyCase.js'
import {failureOf} from '../../../support/failures.js'
import {folderWith, put} from '../folder.js'

const tooLarge = 'it is larger than 4 MiB; split it, and sync each part by itself'

const files = {'a.png': 'a', 'b.bundle': 'b', 'c.bundle': 'c', 'sub/catalog.json': '{}', 'sub/LICENSE': 'free'}

/** A folder with some files and a manifest of this text; returns the manifest's path. */
function manifest(text: string, name = 'm.yaml'): string {
  const folder = folderWith(files)
  put(folder, {[name]: text})
  return path.join(folder, name)
}

/** The error of a manifest, without the folder. */
async function complaint(text: string, name = 'm.yaml'): Promise<{message: string; why: string | undefined}> {
  const file = manifest(text, name)
  const {exit, message, why} = (await failureOf(() => loadManifest(file))).facts
  expect(exit).toBe('file')
  return {message: message.replace(file, name), why}
}

const head = 'version: 1\nfiles:\n'

test('JSON is read as well, whatever the file is called, and with a byte order mark', async () => {
  const text = JSON.stringify({$schema: 'x', version: 1, files: [{path: 'a.png', role: 'asset'}]}, null, 2)
  for (const [name, content] of [
    ['m.json', text],
    ['m.json', `\ufeff${text}`],
    ['m.yaml', text],
    ['manifest', text],
  ] as const) {
    expect((await loadManifest(manifest(content, name))).files.map(({key}) => key)).toEqual(['a.png'])
  }
})

describe('an error in a manifest', () => {
  test('names the line of a wrong member, and the expected value', () =>
    everyCase(
      [
        ['', 'cannot use the manifest m.yaml: line 1: it must be a mapping of members'],
        ['files: []\n', 'line 1: version: it is missing; it must be 1'],
        ['version: 2\nfiles: [{path: a.png, role: asset}]\n', 'line 1: version: it must be 1'],
        ['version: 1\nfiles: []\n', 'line 2: files: it must not be empty'],
        ['version: 1\n\nfiles: a.png\n', 'line 3: files: it must be a list'],
        [`${head}  - a.png\n`, 'line 3: files[0]: it must be a mapping of members'],
        [`${head}  - path: a.png\n    role: picture\n`, 'line 4: files[0].role: it must be asset, catalog or bundle'],
        [`${head}  - path: a.png\n`, 'line 3: files[0].role: it is missing; it must be asset, catalog or bundle'],
        [
          `${head}  - path: a.png\n    role: asset\n    kind: x\n`,
          'line 5: files[0].kind: this is not a member of a file; there are',
        ],
        [
          'version: 1\nroot: x\nfiles: [{path: a.png, role: asset}]\n',
          'line 2: root: this is not a member of a manifest; there are',
        ],
        [
          `${head}  - path: a.png\n    role: asset\n    description: 42\n`,
          'line 5: files[0].description: it must be text',
        ],
        [
          `${head}  - path: a.png\n    role: asset\n    description: |\n      two\n      lines\n`,
          'line 5: files[0].description: it must be one line',
        ],
        [
          `${head}  - path: a.png\n    role: asset\n    sha256: abc\n`,
          'line 5: files[0].sha256: it must be 64 hex digits',
        ],
        [
          `${head}  - path: a.png\n    role: asset\n    platform: linux\n`,
          'line 5: files[0].platform: it must be ios, android or windows',
        ],
        [`${head}  - path: ""\n    role: asset\n`, 'line 3: files[0].path: it must not be empty'],
        [
          `${head}  - path: ../a.png\n    role: asset\n`,
          'line 3: files[0].path: it must be in the folder of the manifest',
        ],
        [
          `${head}  - path: sub/../../a.png\n    role: asset\n`,
          'line 3: files[0].path: it must be in the folder of the manifest',
        ],
        [`${head}  - path: /etc/hosts.txt\n    role: asset\n`, 'line 3: files[0].path: it must be relative'],
        [`${head}  - path: 'C:\\a.png'\n    role: asset\n`, 'line 3: files[0].path: there is a \\ in it'],
        [`${head}  - path: 'C:/a.png'\n    role: asset\n`, 'line 3: files[0].path: it must be relative'],
        [`${head}  - path: gone.png\n    role: asset\n`, 'line 3: files[0].path: no such file'],
        [
          `${head}  - path: a.png/x.png\n    role: asset\n`,
          'line 3: files[0].path: a part of this path is not a folder',
        ],
        [`${head}  - path: sub/LICENSE\n    role: asset\n`, 'line 3: files[0].path: the name LICENSE has no extension'],
        [
          `${head}  - path: a.png\n    role: asset\n    name: x/y.png\n`,
          'line 5: files[0].name: x/y.png is no file name but a path',
        ],
        [
          `${head}  - path: a.png\n    role: asset\n    link: b.bundle\n  - path: b.bundle\n    role: bundle\n`,
          'line 5: files[0].link: a file of the role asset has no link',
        ],
        [
          `${head}  - path: b.bundle\n    role: bundle\n    link: x.png\n`,
          'line 5: files[0].link: x.png is no path of this manifest',
        ],
        [
          `${head}  - path: b.bundle\n    role: bundle\n    link: "uuid:"\n`,
          'line 5: files[0].link: this is not the uuid of an asset file',
        ],
        [
          `${head}  - path: b.bundle\n    role: bundle\n    link: ./b.bundle\n`,
          'line 5: files[0].link: b.bundle is a bundle, and a bundle belongs to an asset file',
        ],
        [
          `${head}  - path: a.png\n    role: asset\n  - path: ./a.png\n    role: asset\n`,
          'line 5: files[1].path: files[0] is the same file',
        ],
        [
          `${head}  - path: a.png\n    role: asset\n__proto__:\n  x: 1\n`,
          'line 5: __proto__: this is not a member of a manifest',
        ],
      ],
      async (text, expected) => {
        expect((await complaint(text)).message).toContain(expected)
      },
    ))

  test('is reported in the order of the lines, the first five of many', async () => {
    const text = `${head}${'  - path: gone.png\n    role: x\n'.repeat(7)}`
    const {message, why} = await complaint(text)
    expect(message).toContain('line 4: files[0].role: it must be')
    expect(why).toBe(
      `there is more: ${[6, 8, 10, 12].map((line, at) => `line ${line}: files[${at + 1}].role: it must be asset, catalog or bundle`).join('; ')}; and 2 more`,
    )
  })
})

describe('a text that is no manifest', () => {
  test('is refused with the place of its syntax error', () =>
    everyCase(
      [
        [
          'version: 1\nversion: 1\n',
          'm.yaml',
          'cannot read the manifest m.yaml: line 2, column 1: this name is given twice',
        ],
        ['version: 1\n\tfiles: []\n', 'm.yaml', 'line 2, column 1: '],
        ['a: 1\n---\nb: 1\n', 'm.yaml', 'line 2, column 1: a second document begins here (---); a file is one'],
        [
          'version: *one\n',
          'm.yaml',
          'cannot read the manifest m.yaml: an alias (*name) has no anchor (&name) before it',
        ],
        ['{"version": 1,\n "files": [\n', 'm.json', 'line 3, column 1: '],
        ['{"version": 1, "version": 1}', 'm.json', 'line 1, column 16: this name is given twice'],
      ],
      async (text, name, expected) => {
        expect((await complaint(text, name)).message).toContain(expected)
      },
    ))

  test('the same file listed many times is reported once, and counted', async () => {
    const count = 20_000
    const {message, why} = await complaint(`${head}${'  - {path: a.png, role: asset}\n'.repeat(count)}`)
    expect(message).toContain('line 4: files[1].path: files[0] is the same file')
    expect(why).toContain(`and ${count - 1 - 5} more`)
  })

  test('aliases that unfold without end are refused', async () => {
    const levels = Array.from({length: 12}, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}*l${at}]`)
    const text = `l0: &l0 [x]\n${levels.join('\n')}\n`
    expect((await complaint(text)).message).toContain('the aliases repeat too much')
  })
})

test('a link out of the folder is refused, one to a file inside it is followed', async () => {
  const text = `${head}  - path: out.png\n    role: asset\n`
  const file = manifest(text)
  const outside = path.join(folderWith({'secret.png': 'x'}), 'secret.png')
  symlinkSync(outside, path.join(path.dirname(file), 'out.png'))
  expect((await failureOf(() => loadManifest(file))).facts.message).toContain(
    'line 3: files[0].path: a symbolic link leads out of the folder of the manifest',
  )

  const inside = manifest(text)
  symlinkSync('a.png', path.join(path.dirname(inside), 'out.png'))
  const [linked] = (await loadManifest(inside)).files
  expect(readFileSync(linked?.path ?? '', 'utf8')).toBe('a')
})

test('a manifest that is not text or is too large is not read', async () => {
  const file = manifest('')
  writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]))
  expect((await failureOf(() => loadManifest(file))).facts).toMatchObject({
    exit: 'file',
    why: 'it is not text in UTF-8',
    try: 'to send a file that is no manifest, use asset upload',
  })
  writeFileSync(file, Buffer.alloc(17 * 1024 * 1024, '#'))
  expect((await failureOf(() => loadManifest(file))).facts.why).toBe(tooLarge)
})
