import {expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {cli, freshHome} from '../support/cli.js'
import {lines} from '../support/operations.js'
import {proxyFor, throughProxy} from './proxy.js'
import {type Answer, stageFor} from './stage.js'

const proxy = proxyFor()

/** Sends a text, and then another repeatedly, until the client closes. */
function dripping(first: string, again: string): Answer {
  return ({socket}) => {
    socket?.write(first)
    const timer = setInterval(() => socket?.write(again), 100)
    socket?.once('close', () => clearInterval(timer))
  }
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

/** Answers that never come to their end though the connection stays. */
const endless: Readonly<Record<string, Answer>> = {
  'not a word': () => {},
  'a byte now and then': dripping(`${head}\r\n{"status":"SUCCESS","data":[`, ' '),
  'a chunk now and then': dripping(`${head}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
  'one more header again and again': dripping(head, 'x-more: 1\r\n'),
  'hints that an answer will come': dripping('HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'half of it, then silence': dripping(`${head}content-length: 1000\r\n\r\n{"status":`, ''),
  'all of it but its end': dripping(`${head}\r\n{"status":"SUCCESS","data":[]}`, ''),
}

/** An upload goes on for as long as anything moves, and HEAD and OPTIONS have no body to wait for. */
const all = (operations as readonly Operation[]).filter(({responseFormat}) => responseFormat !== 'headers')

/** Each operation meets one of them: the clock is one for all, and each of the two adapters has its own. */
test('a service that is too slow is abandoned at the timeout', {timeout: 60_000}, async () => {
  const ends = all.map(async (operation, row) => {
    const names = Object.keys(endless)
    const name = names[row % names.length] ?? ''
    const stage = await stageFor(operation)
    stage.answer = endless[name]
    const home = freshHome()
    const way = row % 2 === 0 ? stage.env : throughProxy(await proxy, stage.env, home)
    const env = {...way, ROOMCTL_TIMEOUT: '5s', ROOMCTL_OUTPUT: 'json'}
    const ran = await cli(lines[operation.id as keyof typeof lines], {env, home, store: memoryStore()})
    return {operation, ran, what: `${operation.id} with ${name}`}
  })
  for (const {operation, ran, what} of await Promise.all(ends)) {
    expect({what, exit: ran.exit, stdout: ran.stdout}).toEqual({what, exit: 10, stdout: ''})
    const {error} = JSON.parse(ran.stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error, what).toMatchObject({exit_code: 10})
    // If an answer began, a read shows whether the change was made.
    const open = operation.effect === 'create' ? ['unknown'] : ['none', 'unknown']
    expect(operation.effect === 'read' ? ['none'] : open, what).toContain(error.outcome)
    expect(error.message).toMatch(/^cannot .*: no complete answer within 5 s$| may have been .*: the answer was lost$/)
    if (error.outcome === 'unknown') expect(error.why).toMatch(/^no complete answer within 5 s; /)
  }
})
