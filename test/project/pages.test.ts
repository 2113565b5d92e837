import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import {stalePages, writePages} from '../../scripts/docs/files.js'
import {generatedLine} from '../../scripts/docs/markdown.js'
import {generatedFolders, makePages} from '../../scripts/docs/pages.js'
import {codes} from '../../src/api/contract/codes.js'
import {operations} from '../../src/api/contract/operations.js'
import {settings} from '../../src/storage/profile/settings.js'
import {freshFolder} from '../support/folder.js'
import {readText, root} from '../support/repository.js'

let pages: ReadonlyMap<string, string>

beforeAll(async () => {
  pages = await makePages(root)
})

test('every generated page is as `npm run docs` makes it, and none is left over', () => {
  expect(stalePages(root, pages, generatedFolders)).toEqual([])
})

test('a page that differs, is missing or is left over is reported, and then written or removed', () => {
  const folder = freshFolder()
  const good = new Map([
    ['docs/errors/A.md', 'a'],
    ['docs/errors/B.md', 'b'],
  ])
  writePages(folder, good, ['docs/errors'])
  expect(stalePages(folder, good, ['docs/errors'])).toEqual([])

  writeFileSync(path.join(folder, 'docs/errors/A.md'), 'another')
  rmSync(path.join(folder, 'docs/errors/B.md'))
  writeFileSync(path.join(folder, 'docs/errors/C.md'), 'c')
  const stale = ['docs/errors/A.md', 'docs/errors/B.md', 'docs/errors/C.md']
  expect(stalePages(folder, good, ['docs/errors'])).toEqual(stale)

  writePages(folder, good, ['docs/errors'])
  expect(stalePages(folder, good, ['docs/errors'])).toEqual([])
})

test('pages that are generated whole say so in their first line', () => {
  const inPart = (text: string) => text.includes(': made by npm run docs -->')
  const byHand = ['docs/agents.md', 'templates/asset-sync.yml']
  for (const [file, text] of pages) {
    if (file.endsWith('.json')) expect(JSON.parse(text).$comment, file).toContain('Made by `npm run docs`')
    else if (!byHand.includes(file) && !inPart(text))
      expect(text.replace(/^---\n.*?\n---\n+/su, '').split('\n')[0], file).toBe(generatedLine)
  }
})

test('every code has its page and every operation its section', () => {
  for (const code of codes) expect(pages.get(`docs/errors/${code}.md`)).toContain(`# ${code}\n`)
  for (const {id} of operations) expect(pages.get('docs/operations.md')).toContain(`\n## ${id}\n`)
})

test('every operation names the commands that call it', () => {
  const sections = (pages.get('docs/operations.md') ?? '').split('\n## ')
  const of = (id: string) => sections.find((section) => section.startsWith(`${id}\n`)) ?? ''
  expect(operations.filter(({id}) => !/\| Commands \| (?:\[|\d+ commands)/u.test(of(id))).map(({id}) => id)).toEqual([])
  // Of all changes that share their code, a command names its own.
  expect(pages.get('docs/commands/room-end.md')).toContain('[room.end]')
  expect(pages.get('docs/commands/room-end.md')).not.toContain('[room.delete]')
  expect(of('room.update')).toContain('| Body | `requester_id` `[user_id]`')
  expect(of('asset.create')).toContain('| Successes | 201 |')
})

test('every command that calls a service says how its calls can fail', () => {
  const named = [...pages].filter(([file]) => file.startsWith('docs/commands/'))
  const calling = named.filter(
    ([file, text]) => text.includes('\n## Calls\n') && !/doctor|config-(?:init|login)/u.test(file),
  )
  expect(calling.length).toBeGreaterThan(40)
  const lacking = calling.filter(([, text]) =>
    [4, 5, 6, 8, 9, 10].some((exit) => !new RegExp(`[ ,]${exit}(?: \\(|[,.])`, 'u').test(text)),
  )
  expect(lacking.map(([file]) => file)).toEqual([])
})

test('every setting that can be stored is used by a command', () => {
  const files = ['src/cli', 'src/commands', 'src/features'].flatMap((folder) => filesBelow(folder, '.ts'))
  const used = files.map((file) => readText(file)).join('\n')
  const names = settings.map(({key}) => key).filter((key) => !key.endsWith('.url'))
  expect(names.filter((key) => !new RegExp(`\\b${key}\\b`, 'u').test(used))).toEqual([])
})

test('every link between the pages leads somewhere', () => {
  const written = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesBelow('docs', '.md')]
  expect(written.flatMap(brokenLinks)).toEqual([])
})

test('every file of the project that a page names is there', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', ...filesBelow('docs', '.md')]
  // A decision record is not rewritten when a named file has moved.
  const written = pages.filter((file) => !file.startsWith('docs/decisions/'))
  const named = written.flatMap((page) =>
    [...readText(page).matchAll(/`((?:src|scripts|test|bench|bin)\/[\w./-]+)`/gu)].map(([, file = '']) => ({
      page,
      file,
    })),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(({file}) => !existsSync(path.join(root, file)))).toEqual([])
})

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(path.join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file}`)
}

/** Links of a page to files that are not there, or to headings that their page does not have. */
function brokenLinks(file: string): string[] {
  const text = readText(file).replace(/```.*?```|`[^`\n]*`/gsu, '')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, target = '']) => target)
  return targets
    .filter((target) => !/^https?:/u.test(target) && !leadsSomewhere(file, target))
    .map((t) => `${file}: ${t}`)
}

function leadsSomewhere(file: string, target: string): boolean {
  const [name = '', heading] = target.split('#')
  const there = name === '' ? path.join(root, file) : path.join(root, path.dirname(file), name)
  if (!existsSync(there)) return false
  if (heading === undefined) return true
  const headings = [...readFileSync(there, 'utf8').matchAll(/^#+ (.*)$/gmu)].map(([, words = '']) => slug(words))
  return headings.includes(heading)
}

/** The anchor that GitHub gives a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/gu, '-')
}
