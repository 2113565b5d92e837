import type {Manifest} from '@oclif/core/interfaces'
import {detailedMembers, type Heads} from '../src/cli/app/staticConfig.js'

/** Splits oclif's manifest for the build into what every start reads and the details, which are ASCII text. */
export function splitManifest({commands}: Pick<Manifest, 'commands'>): {heads: Heads; details: string} {
  let details = ''
  const heads = Object.entries(commands).map(([id, {summary, hidden, aliases, ...rest}]) => {
    const text = JSON.stringify(Object.fromEntries(detailedMembers.map((name) => [name, rest[name]]))).replace(
      /[\u0080-\uffff]/g,
      escaped,
    )
    const head = {summary, at: [details.length, text.length] as const, ...(hidden ? {hidden} : {})}
    details += `${text}\n`
    return [id, aliases.length > 0 ? {...head, aliases} : head]
  })
  return {heads: Object.fromEntries(heads), details}
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
