import {spawnSync} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {decodeText} from '../../../../src/cli/files/readFile.js'
import {ignoreRules, patternsOf} from '../../../../src/upload/sync/ignoreRules.js'
import {everyCase} from '../../../support/everyCase.js'
import {freshFolder} from '../../../support/folder.js'

const named = (names: string) => names.split(' ')

/** Files of a tree in which every pattern below has something to match and something to miss. */
const files = [
  ...named('a b ab ba abc a.b a-b - !a #a [a] [ ] a] ^ é aé a\\b a\\ 1 1.txt z.txt A B.TXT a: * ** ? a* _ ~ b! é.txt'),
  ...named('d/a d/b d/ab d/1.txt d/e/a d/e/b d/e/f/a d/e/f/ab.txt d/d/d/d/a d/!a d/#a ad/a ad/e/a ad/e/d/b axd/y/b'),
  ...named('d1/a d1/e/1.txt e/d/a e/d/b/c foo/bar/a foo/barb/a foo/b'),
  ...['a b', 'a ', ' a', 'a\tb', 'd/a b'],
]
const folders = [...new Set(files.flatMap((file) => ancestors(file)))]

function ancestors(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

const env = {...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'}

function git(root: string, words: readonly string[], input = ''): string {
  const caseful = ['-c', 'core.ignorecase=false']
  const options = {cwd: root, env, input, encoding: 'utf8', maxBuffer: 2 ** 28} as const
  const {status, stdout, stderr} = spawnSync('git', [...caseful, ...words], options)
  // check-ignore ends with 1 where it ignores nothing.
  if (status !== 0 && status !== 1) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout
}

/** What git ignores of all files and folders, by the text of a .gitignore: each in a folder of its own, all in one run. */
function ignoredByGit(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const root = freshFolder()
  git(root, ['init', '--quiet', '--template='])
  for (const [at, text] of texts.entries()) {
    for (const folder of folders) mkdirSync(path.join(root, `${at}`, folder), {recursive: true})
    writeFileSync(path.join(root, `${at}`, '.gitignore'), text)
  }
  const asked = texts.flatMap((_, at) => [...files, ...folders].map((name) => `${at}/${name}\0`)).join('')
  const ignored = new Set(git(root, ['check-ignore', '--no-index', '--stdin', '-z'], asked).split('\0'))
  const under = (at: number) => [...files, ...folders].filter((name) => ignored.has(`${at}/${name}`))
  return new Map(texts.map((text, at) => [text, under(at)]))
}

function ignoredByUs(patterns: string): string[] {
  const {isExcluded} = ignoreRules(patternsOf(decodeText(Buffer.from(patterns), '.gitignore')))
  return [...files.filter((file) => isExcluded(file)), ...folders.filter((folder) => isExcluded(`${folder}/`))]
}

async function expectAsGit(texts: readonly string[]): Promise<void> {
  await everyCase([...ignoredByGit(texts)], (text, ignored) => expect(ignoredByUs(text)).toEqual(ignored))
}

test('excludes what git excludes, in chosen pattern sets', () =>
  expectAsGit([
    // sets
    ...named(
      '[a-c] [!a-c] [!0-9].txt [--1] [z-a] [b-a] []-*] []-a] [a-] [-a] [a\\]] [\\]] [\\a-c] [a-\\c] [\\!a] [!\\]] d[/]a d[!x]a',
    ),
    ...named(
      '[[:alnum:][:punct:]] [[:upper:]].* [[:space:]]a a[[:blank:]]b [[:graph:]] [[:print:]] [[:cntrl:]] [[:xdigit:]]',
    ),
    ...named('[[:lower:]] [[:bogus:]] [[:] [[::]] [[:a] [[:alpha: [[:alpha]] [é] [é].txt [^é].txt d/[!/]'),
    // patterns that match nothing
    ...named('[ [a [! [^ [] [!] a\\ \\ [a\\ [a- [a-\\ d/[ *[ !'),
    // escapes, spaces, comments, bytes
    ...[
      '\\a',
      '\\*',
      '\\?',
      '\\[a\\]',
      '\\!a',
      '\\#a',
      '#a',
      ' #a',
      'a ',
      'a\\ ',
      'a\\  ',
      'a\\\\ ',
      '   ',
      'a\tb',
      'a\t',
    ],
    ...['?.txt', '??.txt', 'a?', 'a??', '*é', '\\é', '\ufeffa', '\ufeff#a', 'a\r', 'a \r\n', '\r\na', 'a\r\nb\r\n'],
    // several lines
    ...['*\n!a', '*\n!d/\n!d/a', '*\n!*/\n!d/a', 'd/\n!d/a', '!a\na', 'a\n!a\na', '*\n!/d\n/d/*\n!/d/e', '\n\na\n\n'],
    ...['a\n#b', '!!a', '!\\!a', '*\n!!a', '/*\n!/foo\n/foo/*\n!/foo/bar'],
  ]))

const piece = fc.constantFrom(
  ...named('a b d e ab .txt 1 é - ! # : * * ** *** / / /**/ ? [ ] [a [! [^ [] [ab] [!a] [^b-d] [[:alpha:]] \\ \\\\ ^'),
  ...named('[[:digit:]-z] [^[:punct:]] [[:x'),
  ' ',
)
const line = fc.array(piece, {minLength: 1, maxLength: 6}).map((pieces) => pieces.join(''))
const lines = fc.array(line, {minLength: 1, maxLength: 4}).map((all) => all.join('\n'))

test('excludes what git excludes, in random pattern sets', () => expectAsGit(fc.sample(lines, 300)))
