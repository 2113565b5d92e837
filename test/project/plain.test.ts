import {readdirSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {readCommands} from '../../scripts/docs/commands.js'
import {readText, root} from '../support/repository.js'

const pages = readdirSync(path.join(root, 'docs'), {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`)
const guides = pages.filter((file) => file.startsWith('docs/guides/'))
const topics = ['agents', 'environment', 'exit-codes', 'fields', 'flags', 'output', 'sandbox', 'security', 'times'].map(
  (topic) => `docs/${topic}.md`,
)

/** The paragraphs, list items and table cells of a page: code blocks are left out, code is not counted. */
function paragraphsOf(page: string): string[] {
  const text = page.replace(/^---\n.*?\n---\n/su, '').replace(/^( *)```.*?^\1```$/gmsu, '')
  return text
    .split(/\n\s*\n|\n(?= *(?:- |\d+\. |\|))/u)
    .filter((paragraph) => !/^\s*(?:#|<|\[[^\]]+\]: |$)/u.test(paragraph))
}

/** The sentences of more than 30 words. A table cell, a list item and a paragraph end one. */
function longSentences(paragraph: string): string[] {
  return paragraph
    .replace(/`[^`]*`/gu, '')
    .replace(/\]\([^)]*\)/gu, ']')
    .split(/(?<=[.!?])\s+|\s\|\s/u)
    .filter((sentence) => sentence.split(/\s+/u).filter((word) => /[a-z]/iu.test(word)).length > 30)
}

test('a sentence of more than 30 words is reported wherever it is', () => {
  const long = Array.from({length: 31}, () => 'word').join(' ')
  for (const page of [`${long}.`, `# A\n\nShort. ${long}.`, `- ${long}`, `| a | ${long} |`, `a\nb ${long}`])
    expect(paragraphsOf(page).flatMap(longSentences).length, page).toBe(1)
  expect(paragraphsOf(`\`${long}\`\n\n\`\`\`sh\n${long}\n\`\`\``).flatMap(longSentences)).toEqual([])
})

test.each(['README.md', 'CHANGELOG.md', 'docs/concepts.md', 'docs/upgrading.md', ...guides, ...topics])(
  '%s has no sentence over 30 words and no paragraph over five lines',
  (file) => {
    const paragraphs = paragraphsOf(readText(file))
    expect(paragraphs.length).toBeGreaterThan(3)
    expect(paragraphs.flatMap(longSentences)).toEqual([])
    expect(paragraphs.filter((paragraph) => paragraph.trim().split('\n').length > 5)).toEqual([])
  },
)

/** The glossary of docs/concepts.md, and what a page must not call the same thing. */
const terms: Readonly<Record<string, RegExp>> = {
  room: /\bconference\b/iu,
  attendee: /\b(?:guests?|members? of (?:a|the) room)\b/iu,
  requester: /\b(?:actor|invoker)\b/iu,
  container: /\b(?:bucket|asset folder)\b/iu,
  resource: /\bblob\b/iu,
  upload: /\btransfers?\b/iu,
  profile: /\bworkspace\b/iu,
  route: /\bendpoints?\b/u,
  journal: /\b(?:audit log|logbook)\b/iu,
  ledger: /\bupload (?:journal|database|cache)\b/iu,
}

test.each(Object.entries(terms))('the glossary has %s, and no page has a synonym of it', (term, synonym) => {
  expect(readText('docs/concepts.md')).toContain(`**${term}**`)
  expect(pages.filter((file) => synonym.test(readText(file)))).toEqual([])
})

/** What a reader asks of a page, with its answer and the words of the page that give it. A new text is read again by these. */
const questions: Readonly<Record<string, readonly {question: string; answer: string; quote: string}[]>> = JSON.parse(
  readText('test/project/questions.json'),
)

test('every guide and help topic answers five questions', () => {
  const read = [...guides.filter((file) => !file.endsWith('README.md')), ...topics]
  expect(Object.keys(questions).sort()).toEqual(read.sort())
  for (const [file, asked] of Object.entries(questions)) {
    const page = readText(file).replace(/\s+/gu, ' ')
    expect(asked.filter(({quote}) => !page.includes(quote))).toEqual([])
    expect(asked.length, file).toBe(5)
  }
})

test('README and each guide have at most 120 lines, docs at most 65,000 words', () => {
  for (const file of ['README.md', ...guides])
    expect(readText(file).trimEnd().split('\n').length, file).toBeLessThanOrEqual(120)
  const words = pages.map(
    (file) =>
      readText(file)
        .split(/\s+/u)
        .filter((word) => word !== '').length,
  )
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(65_000)
})

test('an entry of the changelog is one line of at most 100 characters, and the newest version has at most 120', () => {
  const [, newest = ''] = readText('CHANGELOG.md').split(/^## /mu)
  const lines = newest.split('\n')
  expect(lines.filter((line) => line.length > 100 || !/^(?:- |### |\[|$)/u.test(line)).length).toBeLessThanOrEqual(1)
  expect(lines.length).toBeLessThanOrEqual(120)
  expect([...newest.matchAll(/^### (\w+)$/gmu)].map(([, name]) => name)).toEqual([
    'Added',
    'Changed',
    'Removed',
    'Fixed',
  ])
})

test('help has no sentence over 30 words, and no text of a flag over 60 characters', () => {
  const commands = readCommands(root)
  expect(commands.length).toBeGreaterThan(50)
  const texts = commands.flatMap(({summary, description, examples}) => [
    summary,
    ...paragraphsOf(description),
    ...examples.map((example) => example.description),
  ])
  expect(texts.flatMap(longSentences)).toEqual([])
  const ofFlags = commands.flatMap(({flags, common}) => [...flags, ...common].map((flag) => flag.summary))
  expect(ofFlags.filter((text = '') => text === '' || text.length > 60)).toEqual([])
})
