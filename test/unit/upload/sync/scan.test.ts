import {symlinkSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {scanFolder} from '../../../../src/upload/sync/scan.js'
import {folderWith} from '../folder.js'

test('takes the roles from the names, in all folders, sorted by path', async () => {
  const folder = folderWith({
    'z.bundle': '',
    'a.unity': '',
    'catalog.json': '',
    'catalog_2.hash': '',
    'ios/catalog.bin': '',
    'ios/Z.BUNDLE': '',
    'ios/settings.json': '',
    'mycatalog.json': '',
  })
  const {files} = await scanFolder(folder)
  expect(files.map(({key, role}) => `${role} ${key}`)).toEqual([
    'asset a.unity',
    'catalog catalog.json',
    'catalog catalog_2.hash',
    'bundle ios/Z.BUNDLE',
    'catalog ios/catalog.bin',
    'asset ios/settings.json',
    'asset mycatalog.json',
    'bundle z.bundle',
  ])
  expect(files[0]).toEqual({key: 'a.unity', path: path.join(folder, 'a.unity'), role: 'asset', name: 'a.unity'})
})

test('leaves out hidden entries and symbolic links, and reports them', async () => {
  const folder = folderWith({'a.png': '', '.hidden.png': '', '.git/config.txt': '', 'sub/roomctl.assets.yaml': ''})
  symlinkSync('a.png', path.join(folder, 'link.png'))
  symlinkSync('/', path.join(folder, 'root'))
  const {files, notes} = await scanFolder(folder)
  expect(files.map(({key}) => key)).toEqual(['a.png'])
  expect([...notes].sort()).toEqual([
    'ignored hidden entries: .git, .hidden.png',
    'ignored manifests of another folder: sub/roomctl.assets.yaml',
    'ignored symbolic links: link.png, root',
  ])
})

test('names the first five of many ignored entries', async () => {
  const hidden = Array.from({length: 8}, (_, at) => [`.h${at}`, ''])
  const {notes} = await scanFolder(folderWith({'a.png': '', ...Object.fromEntries(hidden)}))
  expect(notes).toEqual(['ignored hidden entries: .h0, .h1, .h2, .h3, .h4 and 3 more'])
})

test('links a bundle to the one asset beside it that has its name, and otherwise to none', async () => {
  const folder = folderWith({
    'level1.bundle': '',
    'level1.unity': '',
    'level2.bundle': '',
    'level2.unity': '',
    'level2.png': '',
    'level3.bundle': '',
    'sub/level3.unity': '',
    'only.png': '',
  })
  const {files, notes} = await scanFolder(folder)
  expect(files.flatMap(({key, link}) => (link ? [[key, link]] : []))).toEqual([
    ['level1.bundle', {file: 'level1.unity'}],
  ])
  expect(notes).toEqual(['level2.bundle, level3.bundle have no asset link; set it in the manifest'])
})
