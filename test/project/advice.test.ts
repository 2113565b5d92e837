import {expect, test} from 'vitest'
import {splitManifest} from '../../scripts/splitManifest.js'
import {StaticConfig} from '../../src/cli/app/staticConfig.js'
import {parseWords, splitLine} from '../../src/cli/flags/commandLine.js'
import {bashWords} from '../../src/features/completion/parseLine.js'
import {adviceTexts} from '../support/adviceTexts.js'
import {builtManifest} from '../support/builtManifest.js'
import {pjson, root} from '../support/repository.js'

const {heads, details} = splitManifest(await builtManifest())
const config = new StaticConfig({
  root,
  pjson,
  heads,
  readDetails: (start, length) => details.slice(start, start + length),
  loadCommand: () => Promise.reject(new Error('advice is only read')),
})

/** Whether `roomctl` stands for the command line here: a program or a package does other things than commands do. */
function isCommandNamed(part: string): boolean {
  const words = [...part.matchAll(/\broomctl ([a-z-]+)/gu)].map(([, word = '']) => word)
  return words.some((word) => word.startsWith('-') || config.commands.some(({id}) => id.split(':')[0] === word))
}

/** The error of a pasted command line; undefined for a valid one. */
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

test('each command of an advice can be pasted', () => {
  const lines = adviceTexts.filter(({isData}) => isData)
  expect(lines.length).toBeGreaterThan(110)
  const wrong = lines.flatMap(({file, said}) => {
    const problem = fault(said)
    return problem === undefined ? [] : [`${file}: ${said}: ${problem}`]
  })
  expect(wrong).toEqual([])
})

/** Each command line of a note: it is the whole of a part, or the end of one after a colon. */
const partEnds = /; | && |, or: /u

test('a note has its command line at its end after a colon, and an advice has its own as data', () => {
  const texts = adviceTexts.filter(({isData}) => !isData)
  expect(texts.length).toBeGreaterThan(150)
  const parts = texts.flatMap(({file, said, isAdvice}) =>
    said.split(partEnds).map((part) => ({file, said, part, isAdvice})),
  )
  const naming = parts.filter(({part}) => /\broomctl (?:[a-z]|-)/u.test(part) && isCommandNamed(part))
  const wrong = naming.flatMap(({file, said, part, isAdvice}) => {
    const line = /^(?:[^:]*: )?(roomctl .*)$/su.exec(part)?.[1]
    const problem = line === undefined ? 'a command within a sentence' : fault(line.replace(/ [<>]+ .*$/u, ''))
    const found = isAdvice ? 'a command line in a text' : problem
    return found === undefined ? [] : [`${file}: ${said}: ${found}`]
  })
  expect(wrong).toEqual([])
})
