import {readFileSync} from 'node:fs'
import type {Environment} from '../../../cli/runtime/runtime.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, ok, warn} from './finding.js'

const check = 'environment'

/** The variables that change, outside of roomctl's own settings, how it is run or how it connects. */
export function checkEnvironment(env: Environment): Diagnosis[] {
  const found = [allProxy(env), unverified(env), debugging(env), extraAuthorities(env)].flatMap((one) => one ?? [])
  return found.length > 0 ? found : [ok(check, 'no variable changes how roomctl connects behind your back')]
}

function allProxy({ALL_PROXY, all_proxy}: Environment): Diagnosis | undefined {
  if (!ALL_PROXY && !all_proxy) return undefined
  const name = all_proxy ? 'all_proxy' : 'ALL_PROXY'
  return warn(check, `${name} is set, and roomctl does not heed it`, 'set HTTPS_PROXY (and NO_PROXY) in its place')
}

function unverified({NODE_TLS_REJECT_UNAUTHORIZED: value}: Environment): Diagnosis | undefined {
  if (value !== '0') return undefined
  const what =
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: roomctl checks certificates all the same, other Node programs do not'
  return warn(check, what, 'unset NODE_TLS_REJECT_UNAUTHORIZED, and name the authority: roomctl config set caFile FILE')
}

function debugging({NODE_DEBUG: value}: Environment): Diagnosis | undefined {
  if (!value) return undefined
  const what =
    'NODE_DEBUG is set: Node writes its inner workings to stderr, addresses among them, past what masks secrets'
  return warn(check, what, 'unset NODE_DEBUG; --debug shows the requests with their secrets masked')
}

/** Node warns of such a file once, when it starts, and goes on without it. */
function extraAuthorities({NODE_EXTRA_CA_CERTS: path}: Environment): Diagnosis | undefined {
  if (!path) return undefined
  try {
    if (readFileSync(path, 'utf8').includes('-----BEGIN CERTIFICATE-----')) return undefined
    return fail(check, `NODE_EXTRA_CA_CERTS names ${path}, which holds no certificate in PEM form`, 'name a PEM file')
  } catch {
    return fail(check, `NODE_EXTRA_CA_CERTS names ${path}, which cannot be read`, 'name a PEM file that can be read')
  }
}
