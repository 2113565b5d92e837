import {execFileSync} from 'node:child_process'
import {existsSync, readdirSync} from 'node:fs'
import {homedir} from 'node:os'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {measureSize} from '../../scripts/size.js'
import {operations} from '../../src/api/contract/operations.js'
import {everyCase} from '../support/everyCase.js'
import {pjson, readText, root} from '../support/repository.js'

/** Every file of the project that is text; outside a clone, those below its own folders. */
const texts = trackedFiles().filter((file) => existsSync(path.join(root, file)) && !readText(file).includes('\0'))
const records = readdirSync(path.join(root, 'docs/decisions'))

function trackedFiles(): string[] {
  return execFileSync('git', ['ls-files', '-z'], {cwd: root, encoding: 'utf8'})
    .split('\0')
    .filter((file) => file !== '')
}

/** `file:line` of every place in the files where the pattern is found. */
function places(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}`] : [])),
  )
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')
}

describe('the versions', () => {
  const versions = [...readText('CHANGELOG.md').matchAll(/^## \[([^\]]+)\] - (.+)$/gmu)]

  test('of the changelog, package.json and its lock are the same', () => {
    const {version, packages} = JSON.parse(readText('package-lock.json'))
    expect([versions[0]?.[1], version, packages[''].version]).toEqual(Array(3).fill(pjson.version))
  })

  test('are dated, the newest first, and sorted by kind of change', () => {
    const changelog = readText('CHANGELOG.md')
    const dates = versions.map(([, , date = '']) => date)
    const headings = changelog.match(/^## .*$/gmu) ?? []
    expect(versions).toHaveLength(headings.filter((heading, at) => at > 0 || heading !== '## [Unreleased]').length)
    expect(dates.filter((date) => !/^\d{4}-\d\d-\d\d$/u.test(date))).toEqual([])
    expect(dates).toEqual([...dates].sort().reverse())
    const kinds = [...changelog.matchAll(/^### (.+)$/gmu)].map(([, kind]) => kind)
    expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toEqual(expect.arrayContaining(kinds))
  })
})

test('the changelog says nothing twice, as a merge of two branches may', () => {
  const lines = readText('CHANGELOG.md').split('\n')
  expect(lines.filter((line, at) => line.length > 30 && lines.indexOf(line) !== at)).toEqual([])
})

describe('the address of the repository', () => {
  const {repository, homepage, bugs} = pjson
  const address = /^git\+(https:.+)\.git$/u.exec(repository?.url)?.[1] ?? 'no repository'

  test('is in package.json, with the home page and the issues below it', () => {
    expect({homepage, bugs}).toEqual({homepage: `${address}#readme`, bugs: `${address}/issues`})
  })

  test('is nowhere else but where npm run docs writes it, so that one place sets it', () => {
    const named = places(texts, new RegExp(`\\b${escaped(new URL(address).pathname.slice(1))}\\b`, 'u'))
    const pages = [
      'CONTRIBUTING.md',
      'README.md',
      ...Array(2).fill('docs/guides/uploads-in-ci.md'),
      ...Array(3).fill('docs/packaging.md'),
    ]
    expect(named.map((place) => place.split(':')[0])).toEqual([
      ...pages,
      ...Array(3).fill('package.json'),
      'templates/asset-sync.yml',
    ])
  })
})

describe('the decisions', () => {
  test('have at most 30 lines, their number and a context, choice and consequence', () =>
    everyCase(records, (file) => {
      const text = readText(`docs/decisions/${file}`)
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
      expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/u)
      expect(text).toMatch(new RegExp(`^# ${file.slice(0, 4)}\\b`, 'u'))
      for (const part of ['Context', 'Choice', 'Consequence']) expect(text).toContain(`**${part}`)
    }))

  test('have numbers of their own', () => {
    const numbers = records.map((file) => file.slice(0, 4))
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('are there for every route that is assumed, and only the routes that the document does not show are', () => {
    const assumed = operations.flatMap((entry) => ('assumed' in entry ? [{id: entry.id, record: entry.assumed}] : []))
    const pushes = operations.filter(({service}) => service === 'push').map(({id}) => id)
    expect(assumed.map(({id}) => id)).toEqual([
      ...['room.send', 'room.adminUpdate', 'appConfig.create', 'appConfig.update'],
      ...pushes,
    ])
    expect(pushes).toHaveLength(10)
    for (const {id, record} of assumed) {
      expect(existsSync(path.join(root, record)), record).toBe(true)
      expect(readText(record)).toContain(`\`${id}\``)
    }
  })
})

describe('the dependencies', () => {
  const {dependencies, devDependencies, peerDependencies, optionalDependencies} = pjson
  const named = Object.keys({...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies}).sort()
  const reasons = [...readText('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| (.+) \|$/gmu)]

  test('each have one line with a reason, and no line is for one that is gone', () => {
    expect(reasons.map(([, name]) => name).sort()).toEqual(named)
    for (const [, name, reason = ''] of reasons) expect(reason.length, name).toBeGreaterThan(10)
  })

  test('are locked without the address that they were fetched from', () => {
    expect(places(['package-lock.json'], /"resolved": *"(?:https?|git|ssh)/u)).toEqual([])
  })
})

describe('the source', () => {
  const source = texts.filter((file) => /^src\/.*\.ts$/u.test(file))

  test('has no file of more than 350 lines', () => {
    expect(source.filter((file) => readText(file).trimEnd().split('\n').length > 350)).toEqual([])
  })

  test('has no folder of more than 30 files', () => {
    const folders = source.map((file) => path.dirname(file))
    const sizes = [...new Set(folders)].map(
      (folder) => [folder, folders.filter((one) => one === folder).length] as const,
    )
    expect(sizes.filter(([, size]) => size > 30)).toEqual([])
  })

  test('exports each name in one file only, and no comment has a word of a dialect', () => {
    expect(measureSize(root)).toMatchObject({repeatedExports: [], dialect: []})
  })

  test('has no folder that anything could be put into', () => {
    expect(source.filter((file) => /\/(?:utils?|helpers?|common|manager|misc|shared)(?:\/|\.ts$)/u.test(file))).toEqual(
      [],
    )
  })
})

test('the unit tests lie in folders that the source has, too', () => {
  const folders = new Set(texts.filter((file) => file.startsWith('test/unit/')).map((file) => path.dirname(file)))
  expect([...folders].filter((folder) => !existsSync(path.join(root, folder.replace(/^test\/unit/u, 'src'))))).toEqual(
    [],
  )
})

describe('no file of the project', () => {
  test('names a place of the machine that it is on', () => {
    const here = [root, homedir()].filter((folder) => folder === '/root' || folder.split('/').length > 2)
    expect(here.flatMap((folder) => places(texts, new RegExp(escaped(`${folder}/`), 'u')))).toEqual([])
  })

  // Each has another form, or none, on macOS. Namespaces are of Linux alone, and what names shasum has it in place of GNU's program.
  test('runs a program with an option that only GNU has', () => {
    const options = [
      /\bsed (?:-i|-[nE]*r)\b/u,
      /\bdate (?:-d|--)/u,
      /\bstat (?:-c|--)/u,
      /\bgrep -[a-zA-Z]*P/u,
      /\b(?:sort -V|base64 -w|du -b|truncate -s|head -c ?-)/u,
      /\bmktemp --|\bfind .*-printf|\bxargs -d/u,
      /\btar --(?:sort|owner|mtime|transform)/u,
      /\b(?:cp|ln) -[a-z]*[dT]\b/u,
      /\bcp --|\breadlink -f\b/u,
      /(?:^|[\s;|&('`$])(?:nproc|tac|md5sum|sha(?:1|256|512)sum)(?: [-"$<]|['`)]|$)/u,
    ]
    const run = texts.filter((file) =>
      /^(?:action\.yml|README\.md|docs\/(?:guides\/|packaging)|src\/|scripts\/|test\/|bench\/)/u.test(file),
    )
    const portable = run.filter(
      (file) => !/unshare|shasum/u.test(readText(file)) && file !== 'test/project/repository.test.ts',
    )
    expect(portable.length).toBeGreaterThan(500)
    expect(options.flatMap((option) => places(portable, option))).toEqual([])
  })

  test('starts npm or npx, which are .cmd files on Windows, by their bare names', () => {
    const scripts = texts.filter((file) => /^(?:scripts\/(?!windows\/)|bin\/)/u.test(file))
    // With a shell it is found; what runs wine is not for Windows.
    const found = places(scripts, /\b(?:spawn|exec(?:File)?)(?:Sync)?\('(?:npm|npx|sh|ls)'/u)
    expect(found.map((place) => place.split(':')[0])).toEqual(['scripts/prepare.cjs'])
  })

  test('names a package registry', () => {
    expect(places(texts, /\bregistry\.[a-z]|\bnpmjs\.(?:org|com)\b/u)).toEqual([])
  })

  test('has an unfinished mark', () => {
    expect(places(texts, /\b(?:TO(?:DO)|FIX(?:ME))\b/u)).toEqual([])
  })

  test('narrows the tests or switches one off', () => {
    expect(places(texts, /\b(?:test|it|describe)\.(?:only|skip|todo)/u)).toEqual([])
  })
})
