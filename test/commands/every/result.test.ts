import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {answered, named, remarks} from '../../support/operations.js'
import {readyFor} from '../answers.js'

const registers = /^push\.(?:ios|android)/u

test('every change tells people, programs and scripts its result, and sends its request once', () =>
  everyCase(named, async (operation, change) => {
    const {method, path, body, result} = change
    const [said, answer, id] = result
    const run = async (...more: string[]) =>
      cli([...answered(change), ...more], {store: await readyFor(operation), env: {NO_COLOR: '1'}})
    const [people, program, script] = [await run(), await run('-o', 'json'), await run('-q')]
    // A registration is compared with the one before, and read back.
    const methods = registers.test(operation) ? ['GET', method, 'GET'] : [...(change.looksUp ? ['GET'] : []), method]
    for (const ran of [people, program, script]) {
      expect([ran.exit, ran.asked, remarks(change, ran)]).toEqual([0, [], ''])
      expect(ran.sent.map((one) => one.method)).toEqual(methods)
      expect(ran.sent.find((one) => one.method === method)).toMatchObject({path, ...(body && {body})})
    }
    expect([people, script].map(({stdout}) => stdout.replace(/\n$/u, ''))).toEqual([said, id])
    expect(JSON.parse(program.stdout)).toEqual(answer)
  }))
