import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {measureSize, sizeTable} from '../../scripts/size.js'
import {freshFolder} from '../support/folder.js'

function treeOf(files: Readonly<Record<string, string>>): string {
  const root = freshFolder()
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), {recursive: true})
    writeFileSync(path.join(root, file), text)
  }
  return root
}

test('counts private names of five files, patches, words of comments and optional members', () => {
  const alike = ['a', 'b', 'c', 'd', 'e'].map((name) => [`src/${name}.ts`, 'function rowOf() {}\nconst own = 1\n'])
  const root = treeOf({
    ...Object.fromEntries(alike),
    'src/f.ts': [
      '/** A file that was begun anew. */',
      'export interface Few {\n  readonly one?: string\n}',
      'interface Many {\n  readonly one?: string\n  two?: () => void\n  readonly three: string\n  three?(): void\n}',
      "export const tells = Object.create({begun: 'tells'}) // what nobody tells; undefined if there is none",
    ].join('\n'),
    'scripts/g.ts': '// It gives back a sum.',
    'test/f.test.ts': 'one\ntwo\n',
  })
  const size = measureSize(root)
  expect(size).toMatchObject({
    files: 6,
    lines: 21,
    testLines: 2,
    homonyms: ['5 own', '5 rowOf'],
    objectPatches: ['src/f.ts:11'],
    dialect: [
      ...['1 begun', '1 anew', '11 nobody', '11 tells', '11 is none'].map((at) => `src/f.ts:${at}`),
      'scripts/g.ts:1 gives back',
    ],
    optionalMembers: [{name: 'Many', members: 3}],
  })
  expect(sizeTable(size, {details: false})).toContain('most optional members of an interface   3 (Many)')
  expect(sizeTable(size, {details: true})).toContain('  src/f.ts:11 tells')
})
