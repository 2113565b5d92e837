import {spawnSync} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {decodeText} from '../../../../src/cli/files/readFile.js'
import {ignoreRules, patternsOf} from '../../../../src/upload/sync/ignoreRules.js'
import {everyCase} from '../../../support/everyCase.js'
import {freshFolder} from '../../../support/folder.js'

/** Files of a tree in which every pattern below has something to match and something to miss. */
const files = [
  ...[
    'a',
    'b',
    'ab',
    'ba',
    'abc',
    'a.b',
    'a b',
    'a ',
    ' a',
    'a-b',
    '-',
    '!a',
    '#a',
    '[a]',
    '[',
    ']',
    'a]',
    '^',
    'é',
    'aé',
  ],
  ...['a\\b', 'a\\', '1', '1.txt', 'z.txt', 'A', 'B.TXT', 'a:', '*', '**', '?', 'a*', 'a\tb', '_', '~', 'b!', 'é.txt'],
  ...[
    'd/a',
    'd/b',
    'd/ab',
    'd/1.txt',
    'd/e/a',
    'd/e/b',
    'd/e/f/a',
    'd/e/f/ab.txt',
    'd/d/d/d/a',
    'd/!a',
    'd/#a',
    'd/a b',
  ],
  ...[
    'ad/a',
    'ad/e/a',
    'ad/e/d/b',
    'axd/y/b',
    'd1/a',
    'd1/e/1.txt',
    'e/d/a',
    'e/d/b/c',
    'foo/bar/a',
    'foo/barb/a',
    'foo/b',
  ],
]
const folders = [...new Set(files.flatMap((file) => ancestors(file)))]

function ancestors(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

const env = {...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'}

function git(root: string, words: readonly string[], input = ''): string {
  const caseful = ['-c', 'core.ignorecase=false']
  const {status, stdout, stderr} = spawnSync('git', [...caseful, ...words], {cwd: root, env, input, encoding: 'utf8'})
  // check-ignore ends with 1 where it ignores nothing.
  if (status !== 0 && status !== 1) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout
}

function tree(): string {
  const root = freshFolder()
  git(root, ['init', '--quiet', '--template='])
  for (const folder of folders) mkdirSync(path.join(root, folder), {recursive: true})
  for (const file of files) writeFileSync(path.join(root, file), '')
  return root
}

/** What git ignores of all files and folders. */
function ignoredByGit(root: string, patterns: string): string[] {
  writeFileSync(path.join(root, '.gitignore'), patterns)
  const all = [...files, ...folders]
  const ignored = git(root, ['check-ignore', '--no-index', '--stdin', '-z'], all.map((one) => `${one}\0`).join(''))
  return ignored.split('\0').slice(0, -1).sort()
}

function ignoredByUs(patterns: string): string[] {
  const {isExcluded} = ignoreRules(patternsOf(decodeText(Buffer.from(patterns), '.gitignore')))
  const excluded = [
    ...files.filter((file) => isExcluded(file)),
    ...folders.filter((folder) => isExcluded(`${folder}/`)),
  ]
  return excluded.sort()
}

const chosen = [
  // names, anchors and folders
  ...[
    'a',
    'ab',
    '/a',
    'd/',
    '/d/',
    'd/a',
    '/d/a',
    'd/e/',
    'e/',
    'a/',
    'foo/bar/',
    'foo/bar',
    'foo/ba/',
    '/',
    '//',
    '//a',
    'd//a',
  ],
  // stars
  ...[
    '*',
    '**',
    '***',
    '/*',
    '/**',
    '*/',
    '**/',
    '*/*',
    '**/*',
    '*/**',
    'd/*',
    'd/**',
    'd/**/',
    '**/a',
    '**/d/a',
    'd/**/a',
    'd/*/a',
  ],
  ...[
    '*a',
    'a*',
    '*a*',
    '*a*b*',
    '**a',
    'a**',
    'a**/b',
    'd/a**b',
    'd**/a',
    'd/**a',
    '**/**/a',
    'd/**/**/a',
    'd/***/a',
    '**\\/a',
    'a*/**/b',
  ],
  ...['*.txt', '*.t?t', '?', '??', '???', 'd/?', 'd?e', '?/a', '*/?/a'],
  // sets
  ...[
    '[ab]',
    '[!ab]',
    '[^ab]',
    '[a-c]',
    '[!a-c]',
    '[^0-9].txt',
    '[!0-9].txt',
    '[]]',
    '[!]]',
    '[]-a]',
    '[a-]',
    '[-a]',
    '[--1]',
    '[z-a]',
  ],
  ...[
    '[[:alpha:]]',
    '[^[:alpha:]]',
    '[[:alnum:][:punct:]]',
    '[[:upper:]].*',
    '[[:digit:]].txt',
    '[[:space:]]a',
    'a[[:blank:]]b',
  ],
  ...[
    '[[:graph:]]',
    '[[:print:]]',
    '[[:cntrl:]]',
    '[[:xdigit:]]',
    '[[:lower:]]',
    '[[:bogus:]]',
    '[[:]',
    '[[::]]',
    '[[:a]',
    '[[:alpha:',
    '[[:alpha]]',
  ],
  ...[
    '[a\\]]',
    '[\\]]',
    '[\\a-c]',
    '[a-\\c]',
    '[\\!a]',
    '[!\\]]',
    '[é]',
    '[é].txt',
    '[^é].txt',
    'd[/]a',
    'd[!x]a',
    'd/[!/]',
  ],
  // patterns that match nothing
  ...['[', '[a', '[!', '[^', '[]', '[!]', 'a\\', '\\', '[a\\', '[a-', '[a-\\', 'd/[', '*[', '!'],
  // escapes, spaces, comments
  ...[
    '\\a',
    '\\*',
    '\\?',
    '\\[a\\]',
    'a\\*',
    '\\!a',
    '\\#a',
    '#a',
    ' #a',
    'a\\\\b',
    'a\\\\',
    'a ',
    'a\\ ',
    'a\\  ',
    'a\\\\ ',
    ' a',
    'a  ',
    '   ',
    'a b',
    'a\\tb',
    'a\tb',
    'a\t',
  ],
  // bytes
  ...['é', '?.txt', '??.txt', 'a?', 'a??', '*é', '\\é'],
  // several lines
  ...[
    '*\n!a',
    '*\n!d/\n!d/a',
    '*\n!*/\n!d/a',
    'd/\n!d/a',
    'd/*\n!d/a',
    '!a\na',
    'a\n!a\na',
    '*\n!/d\n/d/*\n!/d/e',
    '\n\na\n\n',
    'a\r\nb\r\n',
  ],
  ...[
    'a\r',
    'a \r\n',
    '\r\na',
    '\ufeffa',
    '\ufeff#a',
    'a\n#b',
    '!!a',
    '!\\!a',
    '*\n!!a',
    '/*\n!/foo\n/foo/*\n!/foo/bar',
  ],
]

test('excludes what git excludes, in chosen pattern sets', async () => {
  const root = tree()
  expect(chosen.length).toBeGreaterThan(60)
  await everyCase(chosen, (patterns) => expect(ignoredByUs(patterns)).toEqual(ignoredByGit(root, patterns)))
})

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'd',
    'e',
    'ab',
    '.txt',
    '1',
    'é',
    ' ',
    '-',
    '!',
    '#',
    ':',
    '*',
    '*',
    '**',
    '***',
    '/',
    '/',
    '/**/',
    '?',
  ],
  ...[
    '[',
    ']',
    '[a',
    '[!',
    '[^',
    '[]',
    '[ab]',
    '[!a]',
    '[^b-d]',
    '[[:alpha:]]',
    '[[:digit:]-z]',
    '[^[:punct:]]',
    '[[:x',
    '\\',
    '\\\\',
    '^',
  ],
)
const line = fc.array(piece, {minLength: 1, maxLength: 6}).map((pieces) => pieces.join(''))
const lines = fc.array(line, {minLength: 1, maxLength: 4}).map((all) => all.join('\n'))

test('excludes what git excludes, in random pattern sets', () => {
  const root = tree()
  const equal = (patterns: string) => {
    expect(ignoredByUs(patterns)).toEqual(ignoredByGit(root, patterns))
  }
  fc.assert(fc.property(lines, equal), {numRuns: 100})
})
