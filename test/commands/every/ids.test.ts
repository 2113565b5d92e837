import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'

/** Command lines that read ids from a file, to be put behind the last word. */
const filed = [
  ['room', 'create', 'Standup', '--created-by', 'ann', '--host', 'first', '--attendees-from'],
  ['attendee', 'add', 'r-townhall', '--from-file'],
  ['push', 'send', '--title', 'Moved', '--body', 'Now', '--recipients-from'],
]

/** Command lines that read ids from stdin. */
const piped = [
  ...filed.map((words) => [...words, '-']),
  ['room', 'end', '-', '--yes', '--as', 'ann'],
  ['room', 'delete', '-', '--yes', '--as', 'ann'],
  ['record', 'stop', '-', '--yes', '--as', 'ann'],
  ['attendee', 'add', 'r-townhall', '-'],
  ['attendee', 'block', 'r-standup', '-', '--yes', '--as', 'ann'],
  ['attendee', 'restore', 'r-standup', '-', '--as', 'ann'],
  ['push', 'send', '-', '--title', 'Moved', '--body', 'Now'],
  ['push', 'cancel', '-', '--yes', '--application-id', 'app-1'],
]

/** The ids that a request names, in its path or in a list of its body. */
function idsOf({path, body}: {readonly path: string; readonly body?: unknown}): readonly string[] {
  const lists = Object.values(typeof body === 'object' && body !== null ? body : {}).filter((value) =>
    Array.isArray(value),
  )
  return lists[0] ?? [decodeURIComponent(/\/rooms\/([^/]+)/u.exec(path)?.[1] ?? '')]
}

describe('ids, one a line', () => {
  const text = 'zoe\r\n\n#yuna\r\n김민준\nzoe\n'

  test('are read the same from every source: each line unchanged, each once, in order', async () => {
    const file = join(freshHome(), 'ids.txt')
    writeFileSync(file, text)
    const read = [
      ...(await Promise.all(filed.map(async (words) => [words, await cli([...words, file])] as const))),
      ...(await Promise.all(piped.map(async (words) => [words, await cli(words, {stdin: text})] as const))),
    ]
    const offenders = read.flatMap(([words, {sent}]) => {
      const ids = sent.filter(({method}) => method !== 'GET').flatMap(idsOf)
      return JSON.stringify(ids) === '["zoe","#yuna","김민준"]' ? [] : [[words.join(' '), ids]]
    })
    expect(offenders).toEqual([])
  })

  test('of a file that is not UTF-8 are refused, with the line, and nothing is sent', async () => {
    const offenders = []
    for (const hex of ['616e6e0ab1e8b9cec1d80a', '616e6e0a61006e006e000a00']) {
      const file = join(freshHome(), 'ids.txt')
      writeFileSync(file, Buffer.from(hex, 'hex'))
      for (const words of filed) {
        const {exit, sent, stderr} = await cli([...words, file])
        const isRefused =
          exit === 14 && sent.length === 0 && stderr.includes(`cannot read ${file}\n  why: line 2 is not UTF-8`)
        if (!isRefused) offenders.push([words.join(' '), hex, exit, stderr])
      }
    }
    expect(offenders).toEqual([])
  })

  test('of stdin that is separated by NUL are refused, and nothing is sent', async () => {
    const offenders = []
    for (const words of piped) {
      const {exit, sent, stderr} = await cli(words, {stdin: 'ann\nb\0e\0n\0\n'})
      if (exit !== 2 || sent.length > 0 || !stderr.includes('stdin is separated by NUL characters'))
        offenders.push([words, exit, stderr])
    }
    expect(offenders).toEqual([])
  })
})
