import type {Session} from '../../cli/session/session.js'

/** Says that a stored token will not follow an address to another origin (product §10). */
export function warnOfOtherOrigin({resolved, warn}: Session, key: string, address: string): void {
  const [service, kind] = key.split('.')
  if (kind !== 'url' || (service !== 'room' && service !== 'asset' && service !== 'push')) return
  const stored = resolved.credential(service)
  const {origin} = new URL(address)
  if (!stored || stored.origin === origin) return
  warn(
    `the ${service} token is stored for ${stored.origin} and is not sent to ${origin}: roomctl config login ${service}`,
  )
}
