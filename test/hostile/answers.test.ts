import {describe, expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {cli, freshHome, type Ran} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'
import {bodies, fails} from './bodies.js'
import {proxyFor, throughProxy} from './proxy.js'
import {type Answer, type Stage, stageFor, steers, token} from './stage.js'
import {wireFaults} from './wire.js'

const proxy = proxyFor()
const sharedHome = freshHome()
const store = memoryStore()

/** Operations whose command depends on more than the body, and their exits. */
const ownEnd: Readonly<Record<string, {readonly exit: number; readonly says: RegExp}>> = {
  'asset.upload': {exit: 10, says: /error.*the service created an upload and sent no Location header/},
  'asset.patch': {exit: 10, says: /error.*the service accepts the bytes but acknowledges none/},
  // One of the two is enough.
  'asset.options': {exit: 0, says: /^(?:warning: .* plain http.*\n)?$|note: cannot ask/},
  'asset.head': {exit: 0, says: /^(?:warning: .* plain http.*\n)?$|note: cannot ask/},
  // The registered credential is read back.
  'push.iosKey': {exit: 10, says: /error.*cannot verify the registration/},
  'push.iosCertificate': {exit: 10, says: /error.*cannot verify the registration/},
  'push.android': {exit: 10, says: /error.*cannot verify the registration/},
}

/** One failure for people: what happened, why and what to do, after warnings. */
const clear = /^(?:(?!error: ).+\n)*error: (?:cannot |.* may have been ).*\n(?: {2}why: .*\n)?(?: {2}try: .*\n)?$/

/**
 * Lets the operation be answered like that, and runs its command, which must be asked once at least. Every other one goes
 * through a proxy, so by the other adapter, and every other pair is for a program.
 */
async function met(operation: Operation, stage: Stage, answer: Answer, turn: number): Promise<Ran> {
  stage.answer = answer
  stage.asked = 0
  const format: Record<string, string> = turn % 4 < 2 ? {} : {ROOMCTL_OUTPUT: 'json'}
  const home = operation.id in ownEnd ? freshHome() : sharedHome
  const way = turn % 2 === 0 ? stage.env : throughProxy(await proxy, stage.env, home)
  const ran = await cli(lines[operation.id as keyof typeof lines], {
    env: {...way, ...format},
    store,
    home,
  })
  expect(stage.asked).toBeGreaterThan(0)
  // asset info --methods shows the body as it came.
  const own = (ran.stdout + ran.stderr).replace(/\bbody(?:"?:? +| of OPTIONS\s+)"?NaN/iu, '')
  expect(own).not.toMatch(/should not|undefined|Error:|\[object|NaN/)
  expect(ran.stdout + ran.stderr).not.toMatch(steers)
  expect(ran.stdout + ran.stderr).not.toContain(token)
  expect(ran.stderr.length).toBeLessThan(3000)
  return ran
}

/** Nothing is printed, and the failure is clear to people and to programs; a change is not reported as made. */
function expectFailure(operation: Operation, ran: Ran, says: RegExp, exit = 10): void {
  expect(ran).toMatchObject({exit, stdout: ''})
  expect(ran.stderr).toMatch(says)
  const last = ran.stderr.trimEnd().split('\n').at(-1) ?? ''
  if (last.startsWith('{')) {
    const {error} = JSON.parse(last)
    expect(error).toMatchObject({exit_code: exit})
    expect(operation.effect === 'read' ? ['none'] : ['none', 'unknown']).toContain(error.outcome)
  } else expect(ran.stderr).toMatch(clear)
}

const all = operations.map((operation, row): [string, Operation, number] => [operation.id, operation, row])

/**
 * Every eighth one, for an operation in that row, each with its turn: what reads an answer is one for all operations, so of what
 * is wrong for all alike each is met by five of them, on both adapters and in both forms.
 */
function everyEighth<T>(row: number, ones: readonly T[]): (readonly [number, T])[] {
  return ones.flatMap((one, at) => ((row + at) % 8 === 0 ? [[(row + at) / 8, one] as const] : []))
}

function expectOwnEnd(id: string, name: string, ran: Ran): void {
  const own = ownEnd[id]
  expect({name, exit: ran.exit}).toEqual({name, exit: own?.exit ?? 0})
  if (own) expect(ran.stderr).toMatch(own.says)
}

/** A minute was enough for each operation alone. */
const limit = {timeout: 600_000}

describe('every operation, answered with', () => {
  test('no HTTP, a broken or an endless answer, says so', limit, () =>
    everyCase(all, async (id, operation, row) => {
      const own = ownEnd[id]
      const stage = await stageFor(operation)
      for (const [turn, [name, {answer, says, inBody}]] of everyEighth(row, Object.entries(wireFaults))) {
        const ran = await met(operation, stage, answer, turn)
        const unread = operation.responseFormat === 'headers' && inBody
        if (own?.exit === 0 || unread) expectOwnEnd(id, name, ran)
        else expectFailure(operation, ran, says)
      }
    }),
  )

  test('reports a body that is no answer, if it has one', limit, () =>
    everyCase(all, async (id, operation, row) => {
      const stage = await stageFor(operation)
      const place = id === 'asset.bytes' ? 'bytes' : (operation.responseFormat ?? 'envelope')
      for (const [turn, [name, {answer, wrong, says}]] of everyEighth(row, Object.entries(bodies))) {
        const ran = await met(operation, stage, answer, turn)
        if (fails[place].includes(wrong)) expectFailure(operation, ran, says)
        else expectOwnEnd(id, name, ran)
      }
    }),
  )
})
