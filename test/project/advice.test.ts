import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {splitManifest} from '../../scripts/splitManifest.js'
import {parseWords, splitLine} from '../../src/cli/app/commandLine.js'
import {StaticConfig} from '../../src/cli/app/staticConfig.js'
import {bashWords} from '../../src/features/completion/parseLine.js'
import {builtParts} from '../support/builtParts.js'

const root = path.resolve(import.meta.dirname, '../..')
const {heads, details} = splitManifest((await builtParts()).manifest)
const config = new StaticConfig({
  root,
  pjson: JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')),
  heads,
  readDetails: (start, length) => details.slice(start, start + length),
  loadCommand: () => Promise.reject(new Error('advice is only read')),
})

/** Every advice that the sources write out, with what they fill in as a word. */
const advice = execFileSync('git', ['ls-files', 'src'], {cwd: root, encoding: 'utf8'})
  .trim()
  .split('\n')
  .flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    return [...text.matchAll(/\b(?:try|advice)(?:: | = )(['`])((?:\\.|(?!\1)[^\\\n])*)\1/gu)].map(
      ([, , said = '']) => ({
        file,
        said: said.replace(/\$\{[^}]*\}|\{\w+\}/gu, 'X').replace(/\\(.)/gu, '$1'),
      }),
    )
  })

/** What is wrong with a command line, if it is pasted; undefined for one that a command takes. */
function fault(line: string): string | undefined {
  const [, ...words] = bashWords(line).map(({text}) => text)
  const {name, rest, isHelp} = splitLine(words, config)
  if (isHelp || rest.some((word) => ['--help', '--version'].includes(word))) return undefined
  const command = config.findCommand(name.join(':'))
  // A source may fill in the whole name.
  if (!command) return words[0] === 'X' || words[1] === 'X' ? undefined : 'no command'
  const {args, hasUnknown, awaited} = parseWords(command.flags, rest)
  const all = Object.values(command.args)
  if (hasUnknown || awaited) return 'a flag'
  return args.length <= all.length || all.at(-1)?.multiple ? undefined : `${args.length} arguments`
}

test('each advice begins with a line that can be pasted, or is a sentence', () => {
  expect(advice.length).toBeGreaterThan(200)
  const lines = advice.filter(({said}) => said.startsWith('roomctl '))
  expect(lines.length).toBeGreaterThan(60)
  const wrong = lines.flatMap(({file, said}) => {
    const [first = ''] = said.split(/, | && | \|\|? |; |: /u)
    const found = fault(first)
    return found === undefined ? [] : [`${file}: ${said}: ${found}`]
  })
  expect(wrong).toEqual([])
})
