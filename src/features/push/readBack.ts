import {Failure} from '../../api/contract/failure.js'
import type {PushConfiguration} from '../../api/contract/push.js'
import {isUnmasked} from '../../api/rules/evidence.js'
import type {Session} from '../../cli/session/session.js'
import {safeText, shortly} from '../../text/text.js'
import {dateOf} from '../../view/push/configuration.js'
import {readConfiguration} from './configuration.js'

const dayMs = 86_400_000

/** What the reading back showed; `words` stand behind the sentence about the change. */
export interface ReadBack {
  readonly verified: boolean
  readonly words: string
}

/**
 * Reads the configuration after a registration and compares it with what was sent. Raises a Failure (network, outcome applied)
 * where the service shows something else; where it shows nothing to compare, that is said and the change stands.
 */
export async function readBack(
  session: Session,
  applicationId: string,
  expected: Readonly<Partial<PushConfiguration>>,
): Promise<ReadBack> {
  const found = await readConfiguration(session, applicationId).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    session.warn(`warning: it was registered, and cannot be read back: ${safeText(error.facts.message)}`)
    return undefined
  })
  if (session.runtime.signal.aborted) session.endWith('interrupted')
  if (found === undefined) return {verified: false, words: 'not read back'}
  if (found === null) throw storedOtherwise(applicationId, ['nothing is registered'])
  const told = Object.entries(expected).filter(([name]) => isUnmasked(found[name]))
  const others = told.filter(([name, sent]) => !isSame(name, found[name], sent))
  if (others.length > 0)
    throw storedOtherwise(
      applicationId,
      others.map(([name, sent]) => difference(name, found[name], sent)),
    )
  const untold = Object.keys(expected).filter((name) => !isUnmasked(found[name]))
  if (untold.length === 0) return {verified: true, words: 'read back: equal'}
  session.warn(`warning: the service does not show ${untold.join(', ')}, so that was not compared`)
  return {verified: false, words: 'read back: what is shown is equal'}
}

/** A date may be that of another zone. */
function isSame(name: string, found: unknown, sent: unknown): boolean {
  if (name !== 'certificate_expiry_date') return found === sent
  const [one, other] = [dateOf(found), dateOf(sent)]
  return one !== undefined && other !== undefined && Math.abs(one.getTime() - other.getTime()) <= dayMs
}

function difference(name: string, found: unknown, sent: unknown): string {
  if (name === 'fcm_server_key') return 'fcm_server_key is another one than was sent'
  return `${name} is ${shortly(String(found))}, where ${String(sent)} ${name === 'certificate_expiry_date' ? 'stands in the file' : 'was sent'}`
}

function storedOtherwise(applicationId: string, differences: readonly string[]): Failure {
  return new Failure({
    exit: 'network',
    code: 'stored-otherwise',
    message: `cannot verify the registration in application ${applicationId}: ${differences.join('; ')}`,
    why: 'the service keeps something else than it was sent, or somebody else has registered another credential since',
    try: `roomctl push show --application-id ${applicationId}`,
    outcome: 'applied',
  })
}
