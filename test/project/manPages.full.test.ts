import {execFileSync, spawnSync} from 'node:child_process'
import {readdirSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {documentedCommands, readCommands} from '../../scripts/docs/commands.js'
import {manPages} from '../../scripts/man/pages.js'
import {exits} from '../../src/failure.js'
import {everyCase} from '../support/everyCase.js'
import {pjson, readText, root} from '../support/repository.js'

const files: readonly string[] = pjson.man
const commands = readCommands(root)

/** A character with the backspace that a bold or underlined one is printed over it by. */
const overstruck = new RegExp(`.${String.fromCharCode(8)}`, 'gu')

const pages = new Map<string, string>()

/** A page as mandoc shows it, in one line, without bold and underlining. */
function shown(file: string): string {
  const known = pages.get(file) ?? rendered(file)
  pages.set(file, known)
  return known
}

function rendered(file: string): string {
  const text = execFileSync('mandoc', ['-T', 'utf8', '-O', 'width=200', path.join(root, file)], {encoding: 'utf8'})
  return text.replaceAll(overstruck, '').replace(/\s+/gu, ' ')
}

test('package.json names every man page that the build makes, and no other', () => {
  expect([...files].sort()).toEqual(
    readdirSync(path.join(root, 'dist/man'))
      .map((file) => `dist/man/${file}`)
      .sort(),
  )
})

test('two builds make the same pages, which name the day of the version', () => {
  const manifest = JSON.parse(readText('dist/oclif.manifest.json'))
  for (const [file, text] of manPages(root, pjson, documentedCommands(manifest))) {
    expect(text, file).toBe(readText(`dist/man/${file}`))
    expect(text.split('\n')[0]).toMatch(
      /^\.TH "ROOMCTL[A-Z-]*" [17] "\d{4}-\d\d-\d\d" "roomctl \d+\.\d+\.\d+" "roomctl manual"$/u,
    )
  }
})

test('mandoc accepts every page', () =>
  everyCase(files, (file) => {
    const {stdout} = spawnSync('mandoc', ['-T', 'lint', path.join(root, file)], {encoding: 'utf8'})
    expect(stdout.split('\n').filter((line) => line !== '')).toEqual([])
  }))

test('every page has a name for the index of pages, and is ASCII alone', () =>
  everyCase(files, (file) => {
    expect(shown(file)).toContain(`NAME ${path.basename(file).replace(/\.\d$/u, '')} - `)
    expect(readText(file)).toMatch(/^[\n\x20-\x7e]*$/u)
  }))

const pageOf = (command: string) => {
  const [first = ''] = command.split(' ')
  const own = `dist/man/roomctl-${first}.1`
  return files.includes(own) ? own : 'dist/man/roomctl.1'
}

test('every command has its arguments, its flags and its examples', () =>
  everyCase(
    commands.map(({name}) => name),
    (name) => {
      const command = commands.find((one) => one.name === name)
      const page = shown(pageOf(name))
      const main = shown('dist/man/roomctl.1')
      expect(page).toContain(`roomctl ${name}`)
      for (const flag of command?.flags ?? []) expect(page + main).toContain(flag.name)
      for (const {description} of command?.arguments ?? []) expect(page).toContain(description?.replace(/\s+/gu, ' '))
      for (const {line} of command?.examples ?? []) expect(page).toContain(line.replace(/\s+/gu, ' '))
    },
  ))

test('a line to type comes out with the very characters', () => {
  const page = execFileSync('mandoc', ['-T', 'utf8', path.join(root, 'dist/man/roomctl-output.7')], {
    encoding: 'utf8',
  })
  expect(page).toContain("roomctl room list -o json --query '[].{id: room_id, name: name}'\n")
})

test('the main page has every exit code', () => {
  const page = shown('dist/man/roomctl.1')
  for (const {code, meaning} of Object.values(exits)) expect(page).toContain(`${code} ${meaning.replaceAll('`', '')}`)
})
