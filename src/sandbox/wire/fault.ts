import {setTimeout as pause} from 'node:timers/promises'
import {WireError, type WireResponse} from '../../api/http/wire/transport.js'
import type {FailRule} from '../world/options.js'
import {textAnswer} from './answer.js'

const reasons: Readonly<Record<number, string>> = {
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** The rule that strikes this request, if one does; each is drawn for itself, the first that strikes wins. */
export function drawFault(rules: readonly FailRule[], random: () => number): FailRule | undefined {
  return rules.find((rule) => random() * 100 < rule.percent)
}

/** An HTTP failure as a proxy in front of the service answers it: a page, no envelope. */
export function proxyAnswer(status: number, now: Date): WireResponse {
  const title = `${status} ${reasons[status] ?? 'Error'}`
  const wait = status === 429 || status === 503 ? {'retry-after': '1'} : undefined
  const page = `<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1></body>\n</html>\n`
  return textAnswer(status, {'content-type': 'text/html', ...wait}, page, now)
}

/** The error of a caller who has given the request up; a deadline says so itself. */
export function givenUp(signal: AbortSignal, sent: 'no' | 'maybe'): WireError {
  if (signal.reason instanceof WireError) return signal.reason
  return new WireError('aborted', sent, 'the request was given up', {cause: signal.reason})
}

/** Waits the sandbox's latency. Rejects with a WireError when the caller gives up meanwhile. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal === undefined) return pause(ms)
  await pause(ms, undefined, {signal}).catch(() => {
    throw givenUp(signal, 'maybe')
  })
}
