import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {pushTypes} from '../../api/contract/push.js'
import {checkAddress, isLoopback} from '../../api/http/network/address.js'
import {applicationChangeFlags, applicationFlags, requiredFlag, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {askTyped, type ConfirmFlags} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {failureWith, withFacts, wrongUsage} from '../../failure.js'
import {unasked} from '../../terminal/ask.js'
import {exactJson} from '../../text/json.js'
import {safeText} from '../../text/text.js'
import type {ProofEnvironment} from '../../view/push/proof.js'

export const messageFlags = {
  title: requiredFlag('TEXT', 'title of the notification'),
  body: requiredFlag('TEXT', 'text of the notification'),
  'allow-unsupported': switchFlag('send even what is documented as not supported'),
}

/** The document requires both. Throws Failure (usage). */
export function assertMessage({title, body}: Readonly<Record<'title' | 'body', string>>): void {
  for (const [name, text] of Object.entries({title, body})) {
    if (text.trim() !== '') continue
    const why = `the document requires the ${name}; is a shell variable unset?`
    throw wrongUsage(`--${name} is empty; nothing was sent`, {why})
  }
}

/** What FCM takes, by which Android gets a push (firebase.google.com/docs/cloud-messaging). */
const mostBytes = 4096
const reservedNames = /^(?:from|message_type|collapse_key|(?:google|gcm)\..*)$/u

/** Usual mistakes that the document allows. */
export function notesOnMessage({title, body, data = {}}: {title: string; body: string; data?: object}): string[] {
  const reserved = Object.keys(data).filter((name) => reservedNames.test(name))
  const values = Object.values(data).map((value) => (typeof value === 'string' ? value : exactJson(value)))
  const bytes = Buffer.byteLength([title, body, ...Object.keys(data), ...values].join(''))
  const names = safeText(reserved.join(', '))
  return [
    ...(reserved.length > 0 ? [`FCM keeps ${names} for itself, and may refuse data of that name`] : []),
    ...(bytes > mostBytes
      ? [`title, body and data have ${bytes} bytes together, and FCM takes at most ${mostBytes}`]
      : []),
  ]
}

export const registeringFlags = {
  ...applicationFlags,
  ...applicationChangeFlags,
  'allow-assumed': switchFlag('send the credential to an undocumented route'),
}

/** The values of the flag `--type`, in help. */
export const deviceTypes = pushTypes.join('|')

export interface ProofTarget {
  readonly environment: ProofEnvironment
  /** https, without a path. */
  readonly origin: URL
}

/** The gateway of a proof. `server` comes from a flag alone: the receiver of the token can push for an hour. */
export const proofFlags = {
  environment: Flags.string({
    options: ['production', 'development', 'both'],
    helpValue: 'NAME',
    summary: 'production, development or both (default production)',
  }),
  server: valueFlag('https://HOST', 'gateway of Apple, or one on this machine'),
}

export type ProofFlags = Partial<InferredFlags<typeof proofFlags>>

export const proveFlags = {
  prove: switchFlag('register it only if Apple accepts it (see push prove)'),
  environment: {...proofFlags.environment, dependsOn: ['prove']},
  server: {...proofFlags.server, dependsOn: ['prove']},
}

/** The gateways of APNs, as its document names them. */
const gateways: Readonly<Record<ProofEnvironment, string>> = {
  production: 'https://api.push.apple.com',
  development: 'https://api.sandbox.push.apple.com',
}

/** The environment of each host of APNs, by its older names, too. */
const environments = new Map<string, ProofEnvironment>([
  ['api.push.apple.com', 'production'],
  ['api.sandbox.push.apple.com', 'development'],
  ['api.development.push.apple.com', 'development'],
])

/** Apple's gateways, or `--server`. Throws Failure: usage for an invalid address, unconfirmed for another host without `--confirm`. */
export async function proofTargets(
  session: Session,
  {environment: named, server}: ProofFlags,
  answers: ConfirmFlags = {},
): Promise<ProofTarget[]> {
  const environment = named ?? 'production'
  const asked = (['production', 'development'] as const).filter(
    (gateway) => environment === 'both' || environment === gateway,
  )
  if (server === undefined) return asked.map((gateway) => ({environment: gateway, origin: new URL(gateways[gateway])}))
  const origin = serverOrigin(server)
  assertOfEnvironment(origin, named === undefined ? undefined : asked)
  await confirmServer(session, origin, answers)
  return asked.map((gateway) => ({environment: gateway, origin}))
}

function serverOrigin(server: string): URL {
  try {
    const url = checkAddress(server, {allowHttp: false})
    if (url.protocol !== 'https:') throw wrongUsage('APNs is only spoken over https')
    if (url.pathname !== '/') throw wrongUsage('it must not have a path')
    return url
  } catch (error) {
    throw withFacts(error, ({message}) => ({
      message: '--server cannot be used',
      why: message,
      try: 'begin it with https://, and put nothing behind the host and its port',
    }))
  }
}

/** The answer of one gateway says nothing about the other environment. `asked`: undefined if no flag names the environment. */
function assertOfEnvironment(origin: URL, asked: readonly ProofEnvironment[] | undefined): void {
  const hostname = origin.hostname.replace(/\.$/u, '')
  const environment = environments.get(hostname)
  if (environment !== undefined) {
    if ((asked ?? ['production']).every((requested) => requested === environment)) return
    const message = `--server ${hostname} is the ${environment} gateway of APNs`
    throw wrongUsage(message, {try: `use it with --environment ${environment}`})
  }
  if (asked !== undefined || !isOfApple(hostname)) return
  const message = `--server ${hostname} is no known gateway of APNs, so its environment must be given`
  throw wrongUsage(message, {try: 'add --environment production or --environment development'})
}

export function isOfApple(hostname: string): boolean {
  return hostname === 'push.apple.com' || hostname.endsWith('.push.apple.com')
}

async function confirmServer(session: Session, {host, hostname}: URL, {confirm}: ConfirmFlags): Promise<void> {
  if (isOfApple(hostname) || isLoopback(hostname) || confirm === host || confirm === hostname) return
  const why = `${host} is neither this machine nor below push.apple.com, and whoever gets the token can push for an hour`
  const message = `nothing was sent to ${host}: confirmation required`
  if (confirm !== undefined || !session.mayAsk) {
    const facts = {code: 'unconfirmed', why, try: `add --confirm ${host}`} as const
    throw unasked(session.runtime, failureWith('unconfirmed', message, facts))
  }
  await askTyped(session, `Send the credential to ${safeText(host)}? ${safeText(why)}.`, [host])
}
