import {describe, expect, test} from 'vitest'
import {splitManifest} from '../../../../scripts/splitManifest.js'
import {StaticConfig} from '../../../../src/cli/app/staticConfig.js'
import {completeLine, type LiveLookup} from '../../../../src/features/completion/answer.js'
import {builtManifest} from '../../../support/builtManifest.js'
import {everyCase} from '../../../support/everyCase.js'
import {pjson, root} from '../../../support/repository.js'

const {heads, details} = splitManifest(await builtManifest())
const config = new StaticConfig({
  root,
  pjson,
  heads,
  readDetails: (start, length) => details.slice(start, start + length),
  loadCommand: () => Promise.reject(new Error('completion runs no command')),
})

/** The lookup itself, in place of its results. */
const asking: LiveLookup = async (list, {args, flags}, typed) => [
  {value: `${typed}<${list} ${[...args, ...flags.keys()].join(' ')}>`},
]

async function at(line: string) {
  const words = line.split(' ')
  const typed = {before: words.slice(0, -1), current: words.at(-1) ?? '', insertion: (value: string) => value}
  const {offer, open, candidates} = await completeLine(typed, config, asking)
  return {offer, open, values: candidates.map(({value}) => value), candidates}
}

describe('where a command is named', () => {
  test('there are topics and commands, each once, with their descriptions', async () => {
    const {candidates, values} = await at('')
    expect(values).toEqual([...new Set(values)].sort())
    expect(values).toEqual(expect.arrayContaining(['api', 'asset', 'completion', 'config', 'room']))
    expect(candidates).toContainEqual({value: 'room', description: pjson.oclif.topics.room.description})
    expect(candidates).toContainEqual({value: 'completion', description: expect.stringMatching(/shell/u)})
  })

  test('the hidden command is not among them', async () => {
    expect((await at('compl')).values).toEqual(['completion'])
  })

  test('is what can follow', () =>
    everyCase(
      [
        ['room cr', ['create']],
        ['config pro', ['profile']],
        ['config profile ad', ['add']],
        ['room res', ['restore']],
        ['help room cr', ['create']],
        ['help room create ', []],
        ['help exi', ['exit-codes']],
        ['-p live room cr', ['create']],
        ['-o json --debug config profile ad', ['add']],
        ['help room exi', []],
        ['exit', []],
        ['nonsense ', []],
        ['room nonsense ', []],
      ],
      async (line, values) => {
        expect((await at(line)).values).toEqual(values)
      },
    ))
})

describe('where a flag is being typed', () => {
  test('there are its names, with their meanings', async () => {
    expect((await at('room list --wi')).candidates).toEqual([
      {value: '--with-counts', description: expect.stringMatching(/\w/u)},
    ])
  })

  test('is found in every form that it is written in', () =>
    everyCase(
      [
        ['that excludes one that is given', 'room list --json --ou', []],
        ['that may be given again', 'room list --status IDLE --stat', ['--status']],
        ['that can be denied', 'room create x --no-j', ['--no-joinable']],
        ['by its letter', 'room list -p', ['-p']],
      ],
      async (_, line, values) => {
        expect((await at(line)).values).toEqual(values)
      },
    ))

  test('behind -- it is an argument', async () => {
    expect((await at('room show -- --ut')).values).toEqual(['--ut<rooms >'])
  })

  test('where no more words are taken, they are offered without a dash', async () => {
    expect((await at('room list ')).values).toContain('--status')
  })
})

describe('in the place of a value', () => {
  test('is one of the words that can stand there', () =>
    everyCase(
      [
        ['room list --status M', ['MEETING']],
        ['room list --status=M', ['--status=MEETING']],
        ['room list --status m', ['MEETING']],
        ['room list -o nd', ['ndjson']],
        ['room list -ond', ['-ondjson']],
        ['room list -o=nd', ['-o=ndjson']],
        ['room list --color al', ['always']],
        ['asset upload games x --platform i', ['ios']],
        ['push register ann --type I', ['IOS']],
        ['explain --operation record.st', ['record.start', 'record.stop']],
        ['explain ER', ['ER001']],
        ['config set outp', ['output']],
        ['config set output nd', ['ndjson']],
        ['config set readOnly ', ['true', 'false']],
        ['config login as', ['asset']],
        ['room list --tz Asia/Seo', ['Asia/Seoul']],
        ['completion po', ['powershell']],
        ['room create new-na', []],
        ['room delete r-1 --confirm ', []],
      ],
      async (line, values) => {
        expect((await at(line)).values).toEqual(values)
      },
    ))

  test('is for the shell to find where it is a path', () =>
    everyCase(
      [
        ['room list --ca-file ', 'files'],
        ['asset download games/x --dir ', 'folders'],
        ['push inspect ', 'files'],
        ['asset upload games ', 'files'],
        ['attendee add r-1 --from-file=x', 'files'],
      ],
      async (line, offer) => {
        expect(await at(line)).toMatchObject({offer, values: []})
      },
    ))
})

describe('looked-up values', () => {
  test('is asked for where only a service or this machine knows it', () =>
    everyCase(
      [
        ['room show ', 'rooms '],
        ['room end r-1 ', 'rooms r-1'],
        ['attendee block ', 'rooms '],
        ['attendee block r-1 ', 'users r-1'],
        ['room block r-1 ann ', 'users r-1 ann'],
        ['attendee token r-1 ', 'users r-1'],
        ['asset list ', 'containers '],
        ['asset show ', 'resources '],
        ['asset resume ', 'uploads '],
        ['push cancel ', 'requests '],
        ['room list -p ', 'profiles profile'],
        ['config profile use ', 'profiles '],
        ['room show -- ', 'rooms '],
      ],
      async (line, asked) => {
        expect((await at(line)).values).toEqual([`<${asked}>`])
      },
    ))

  test('host and creator stand before the users that one can act as', async () => {
    expect((await at('room end r-1 --as ')).values).toEqual(['host', 'creator', '<users r-1 as>'])
  })

  test('a word of the line, or one that would be taken for a flag, is not offered', async () => {
    const live: LiveLookup = async () => [{value: 'r-1'}, {value: 'r-2'}, {value: '-r'}]
    const values = async (...before: string[]) =>
      (await completeLine({before, current: '', insertion: (value) => value}, config, live)).candidates.map(
        ({value}) => value,
      )
    expect(await values('room', 'end', 'r-1')).toEqual(['r-2'])
    expect(await values('room', 'end', '--')).toEqual(['r-1', 'r-2', '-r'])
  })
})
