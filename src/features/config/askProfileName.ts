import {services} from '../../api/contract/operation.js'
import {askTyped} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {failureWith} from '../../failure.js'
import type {Profile} from '../../storage/profile/file.js'
import {safeText} from '../../text/text.js'

/** Asks for the name of a profile. Throws Failure (unconfirmed) with `message` without a terminal, and for another answer. */
export async function askProfileName(
  session: Session,
  name: string,
  {message, text, answer = 'add --yes'}: {readonly message: string; readonly text: string; readonly answer?: string},
): Promise<void> {
  if (!session.mayAsk) throw failureWith('unconfirmed', message, {try: answer})
  await askTyped(session, text, [name], 'nothing was changed')
}

/** `live (rooms.example.com)`: a profile with the hosts that its addresses name. */
export function nameWithHosts(name: string, profile: Profile): string {
  const urls = services.map((service) => profile[`${service}.url`] ?? '').filter((address) => URL.canParse(address))
  const hosts = [...new Set(urls.map((address) => new URL(address).host))]
  return hosts.length === 0 ? name : safeText(`${name} (${hosts.join(', ')})`)
}
