import type {CredentialFinding} from '../../credential/finding.js'
import type {CredentialReport} from '../../credential/inspect.js'
import {safeText} from '../../text/text.js'
import {daysText} from '../../text/time.js'
import {wrap} from '../../text/width.js'
import type {CardView, Column, Section, ViewContext} from '../format/columns.js'

const kinds: Readonly<Record<CredentialReport['kind'], string>> = {
  'apns-key': 'APNs key (.p8)',
  'apns-certificate': 'push certificate (.p12)',
  'service-account': 'Google service account',
  'google-services': 'google-services.json',
  unknown: 'neither key nor certificate',
}

const certificateKinds: Readonly<Record<string, string>> = {
  app: 'push certificate (.p12)',
  voip: 'VoIP certificate (.p12)',
  complication: 'watch face certificate (.p12)',
  pass: 'Wallet pass certificate (.p12)',
  website: 'website push certificate (.p12)',
  mdm: 'device management certificate (.p12)',
  other: 'certificate (.p12) that is not for push',
}

const fields: Readonly<Record<CredentialReport['kind'], readonly string[]>> = {
  'apns-key': ['key_id', 'curve', 'fingerprint'],
  'apns-certificate': ['bundle_id', 'team_id', 'environments', 'not_after', 'encryption', 'fingerprint'],
  'service-account': [],
  'google-services': [],
  unknown: [],
}

const columns: readonly Column<CredentialReport>[] = [
  {name: 'file', id: true},
  {
    name: 'kind',
    show: ({kind, certificate_kind}) => (certificate_kind && certificateKinds[certificate_kind]) ?? kinds[kind],
  },
  {name: 'usable', extra: true},
  {name: 'certificate_kind', extra: true},
  {name: 'name', extra: true},
  {name: 'key_id', label: 'key id', id: true},
  {name: 'bundle_id', label: 'bundle id', id: true},
  {name: 'team_id', label: 'team id', id: true},
  {name: 'topics', show: ({topics}) => joinWords(topics), extra: true},
  {name: 'environments', show: ({environments}) => joinWords(environments)},
  {name: 'not_before', label: 'valid from', time: 'second', extra: true},
  {name: 'not_after', label: 'expires', show: showExpiry, time: 'second'},
  {name: 'days_left', extra: true},
  {name: 'curve'},
  {name: 'encryption'},
  {name: 'opened', extra: true},
  {name: 'fingerprint', label: 'SHA-256', id: true},
  {name: 'findings', extra: true},
]

/** A file as a card with the fields of its kind, and below them all that was found. */
export function credentialCard({kind}: Pick<CredentialReport, 'kind'>): CardView<CredentialReport> {
  const shown = new Set(['file', 'kind', ...fields[kind]])
  return {
    title: ({file}) => file,
    titleColumn: 'file',
    id: ({file}) => file,
    columns: columns.map((column) => (shown.has(column.name) ? column : {...column, extra: true})),
    sections: ({findings}) => (findings.length === 0 ? [] : [findingsSection(findings)]),
  }
}

function findingsSection(findings: readonly CredentialFinding[]): Section {
  return {
    heading: 'Findings',
    draw: (context) => findings.flatMap((finding) => findingLines(finding, context)).join('\n'),
  }
}

function findingLines(
  {level, message, try: advice}: CredentialFinding,
  {style, columns: width}: ViewContext,
): string[] {
  const paint = {error: style.red, warning: style.yellow, note: style.dim}[level]
  const fitted = (text: string) => (width === undefined ? [safeText(text)] : wrap(safeText(text), width))
  const [first = '', ...rest] = fitted(`${level}: ${message}`)
  const head = first.replace(level, paint(level))
  return [head, ...rest, ...(advice === undefined ? [] : [`  try: ${safeText(advice)}`])]
}

function joinWords(values: readonly string[] | undefined): string {
  return (values ?? []).join(', ')
}

function showExpiry(report: CredentialReport, context: ViewContext): string {
  const {days_left: days} = report
  if (days === undefined) return ''
  return `${context.time(report.not_after)} (${daysText(days)})`
}
