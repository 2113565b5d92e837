import {expect} from 'vitest'
import type {Diagnosis} from '../../../src/view/system/doctor.js'
import type {Circumstances, Ran} from '../../support/cli.js'
import {type Live, live} from '../live.js'

/** A machine whose profile `live` names room and asset service, and nothing to find. */
export function healthy(settings: object = {}, service?: Parameters<typeof live>[1]): Promise<Live> {
  return live({'push.url': undefined, ...settings}, service)
}

/** The findings of doctor, and its exit. */
export async function doctor(machine: Pick<Live, 'cli'>, flags = '', circumstances: Circumstances = {}) {
  const ran = await machine.cli(`doctor -o json ${flags}`.trim().split(/\s+/u), circumstances)
  return {ran, exit: ran.exit, ...foundIn(ran)}
}

export function foundIn(ran: Ran) {
  expect(ran.stderr).toBe('')
  const all = JSON.parse(ran.stdout) as Diagnosis[]
  const named = (check: string) => all.filter((one) => one.check === check)
  return {all, named, found: all.filter(({state}) => state !== 'ok')}
}
