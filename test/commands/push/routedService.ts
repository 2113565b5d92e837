import type {Routed} from './routed.js'
import type {Answer, Arrived} from './wire.js'

/** The address at which the configuration is read before and after a registration. */
const reading = '/push/v1/config?application_id=app-1'

/** The service of an operation at its own route; its configuration is read where it always is. */
export function serving({
  answer,
  stored,
}: Pick<Routed, 'answer' | 'stored'>): (request: Arrived, nth: number) => Answer {
  return ({path}, nth) => {
    if (path !== reading) return answer
    return nth === 1 || stored === undefined ? {status: 204} : {status: 200, body: stored}
  }
}

/** Requests other than reads of the configuration. */
export function asked(arrived: readonly Arrived[]): readonly Arrived[] {
  return arrived.filter(({method, path}) => method !== 'GET' || path !== reading)
}

/** A request to the letter, as `sent` has it. */
export function literally({method, path, headers, bytes}: Arrived) {
  const type = headers['content-type'] ?? ''
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(type)?.[1]
  const fixed = (text: string) => (boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY'))
  return {line: `${method} ${path}`, type: fixed(type), body: fixed(bytes.toString('latin1')), headers}
}
