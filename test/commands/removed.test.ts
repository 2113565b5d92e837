import {readdirSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {adviceText} from '../../src/advice.js'
import {type Removed, removals} from '../../src/cli/errors/removed.js'
import {cli} from '../support/cli.js'
import {readText, root} from '../support/repository.js'

interface Typed {
  readonly line: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** What a user types of a row. */
function typed({kind, name, of = ['room list']}: Removed): readonly Typed[] {
  if (kind === 'command') return [{line: name.split(' ')}, {line: ['help', ...name.split(' ')]}]
  if (kind === 'help topic') return [{line: ['help', name]}]
  if (kind === 'variable') return [{line: ['room', 'list'], env: {[name]: 'less'}}]
  if (kind === 'setting') {
    return [{line: ['config', 'set', name, '7', '-p', 'live']}, {line: ['config', 'get', name]}]
  }
  return of.flatMap((command) => [{line: [...command.split(' '), name]}, {line: [...command.split(' '), `${name}=x`]}])
}

const rows = removals.flatMap((removed) =>
  typed(removed).map((one) => ({...one, removed, title: one.env ? removed.name : one.line.join(' ')})),
)

test.each(rows)('$title is answered with what to use instead', async ({line, env = {}, removed}) => {
  const ran = await cli(line, {env})
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toMatch(/^error: .* was removed in 0\.4\.0\n/u)
  const advice = adviceText(removed.try)
  expect(ran.stderr).toContain(`  ${advice.endsWith('--help') ? 'see' : 'try'}: ${advice}\n`)
})

test('the answer is JSON if JSON is asked for', async () => {
  const {stderr, exit} = await cli('room can r-standup -o json')
  expect(exit).toBe(2)
  expect(JSON.parse(stderr)).toMatchObject({
    error: {message: 'command room can was removed in 0.4.0', exit_code: 2, outcome: 'none'},
  })
})

test('a removed flag before the command is answered, too', async () => {
  const {stderr, exit} = await cli('--utc room list')
  expect({stderr, exit}).toEqual({stderr: 'error: --utc was removed in 0.4.0\n  try: use --tz utc\n', exit: 2})
})

test('docs/upgrading.md lists every removal with the same advice', () => {
  const section = readText('docs', 'upgrading.md').split('## What was removed\n')[1]?.split('\n## ')[0] ?? ''
  const listed = section.split('\n').filter((line) => /^\| (?!Removed|---)/u.test(line))
  expect(listed).toEqual(removals.map(rowOf))
})

test('no other page names a removed command, help topic, setting or variable, or a flag that no command has', () => {
  const pages = readdirSync(path.join(root, 'docs'), {recursive: true, encoding: 'utf8'})
    .filter((file) => /^(?!upgrading|decisions).*\.md$/u.test(file))
    .map((file) => `docs/${file}`)
  const texts = [...pages, 'README.md', 'CONTRIBUTING.md', 'bench/README.md'].map((file) => ({
    file,
    text: readText(file),
  }))
  const gone = removals
    .filter(({of}) => of === undefined)
    .map(({kind, name}) => (kind === 'command' ? `roomctl ${name}` : kind === 'setting' ? `\`${name}\`` : name))
  const named = texts.flatMap(({file, text}) =>
    gone
      .flatMap((name) => [name, ...(name.startsWith('roomctl ') ? [`\`${name.slice('roomctl '.length)}`] : [])])
      .filter((name) => new RegExp(`(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w.-])`, 'u').test(text))
      .map((name) => `${file}: ${name}`),
  )
  expect(named).toEqual([])
})

function rowOf({kind, name, of, try: advice}: Removed): string {
  const kinds = {command: '', flag: '', 'help topic': 'help topic ', setting: 'setting ', variable: 'variable '}
  const commands = of === undefined ? '' : ` of ${of.join(' and ')}`
  return `| ${kinds[kind]}\`${name}\`${commands} | ${adviceText(advice).replaceAll('|', '\\|')} |`
}
