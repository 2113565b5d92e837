import type {Resolved} from '../profile/resolve.js'
import type {Diagnosis} from '../view/doctor.js'

const ofProfile = /\broomctl config (?:login|get|set|unset|route (?:set|unset|list))\b(?! -p)/gu

/** The finding with `-p NAME` in the commands of its fix, where this profile is not the one that they would change without. */
export function forProfile(found: Diagnosis, {name, nameSource}: Pick<Resolved, 'name' | 'nameSource'>): Diagnosis {
  if (nameSource !== 'flag' || found.fix === null) return found
  return {...found, fix: found.fix.replace(ofProfile, `$& -p ${name}`)}
}
