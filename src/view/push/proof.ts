import type {ListView} from '../format/columns.js'

export type ProofEnvironment = 'production' | 'development'

export type ProofVerdict =
  | 'accepted'
  | 'ids-or-key'
  | 'topic'
  | 'clock'
  | 'expired'
  | 'revoked'
  | 'wrong-environment'
  | 'unreachable'
  | 'unknown'

export interface ProofRow {
  readonly environment: ProofEnvironment
  readonly verdict: ProofVerdict
  /** The word of APNs, or why no answer came; null if an answer has none. */
  readonly reason: string | null
  readonly http_status: number | null
  readonly host: string
  /** What it proves, and no more: a phrase. */
  readonly message: string
}

export const proofList: ListView<ProofRow> = {
  id: ({environment}) => environment,
  empty: 'nothing was proven',
  columns: [
    {name: 'environment', id: true},
    {
      name: 'verdict',
      paint: (text, {verdict}, style) => (verdict === 'accepted' ? style.green(text) : style.red(text)),
      kept: true,
    },
    {name: 'reason', kept: true},
    {name: 'http_status', label: 'http status', right: true},
    {name: 'host'},
    {name: 'message', extra: true},
  ],
}

export interface ProofContext {
  readonly kind: 'key' | 'certificate'
  readonly topic: string
  readonly now: Date
}

export function proofText(
  {environment, verdict, reason, http_status, host}: Omit<ProofRow, 'message'>,
  {kind, topic, now}: ProofContext,
): string {
  const clock = `the clock of this machine, which shows ${now.toISOString()}`
  const what = kind === 'key' ? 'the key, its key id and team id' : 'the certificate'
  switch (verdict) {
    case 'accepted':
      return `Apple accepts ${what}, and did not refuse the topic ${topic}`
    case 'ids-or-key':
      return `Apple refuses the token: the key id or team id is wrong, the key is of another team or of App Store Connect, revoked, or was created within the last hours, or ${clock}, is off`
    case 'topic':
      return `Apple does not accept the topic ${topic} with this ${kind}: check the bundle id`
    case 'clock':
      return `Apple says that a token made a second ago has expired: check ${clock}`
    case 'wrong-environment':
      return `the ${kind} is not for ${environment}`
    case 'expired':
    case 'revoked':
      return `Apple says that the certificate ${verdict === 'expired' ? 'has expired' : 'is revoked'}`
    default:
      return unknownText(reason, `${host} answered HTTP ${http_status}`, clock)
  }
}

function unknownText(reason: string | null, answer: string, clock: string): string {
  if (reason === 'TooManyProviderTokenUpdates')
    return `Apple got too many tokens and judges no more for about 20 minutes; check ${clock}, and try again then`
  if (reason === 'UnrelatedKeyIdInToken')
    return 'Apple says that the key id is not related to the key of the first push on this connection, so something between shares the connection; try again without a proxy'
  if (reason === 'BadCertificate') return 'Apple calls the certificate invalid and does not say why'
  return `${answer}${reason === null ? '' : ` (${reason})`}, which does not show whether the credential works`
}
