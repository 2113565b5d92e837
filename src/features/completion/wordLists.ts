import {platforms} from '../../api/contract/assetShapes.js'
import {catalogue} from '../../api/contract/catalogue.js'
import {codes} from '../../api/contract/codes.js'
import {operations} from '../../api/contract/operations.js'
import {destinations, dispatchTypes} from '../../api/contract/pushShapes.js'
import {roomStates} from '../../api/contract/room.js'
import {stateRules} from '../../api/contract/states.js'
import {settings} from '../../storage/profile/settings.js'
import {assetKinds} from '../../view/asset/asset.js'
import {formats} from '../../view/format/output.js'
import {resourceViews} from '../asset/resourceViews.js'
import type {Candidate} from './candidate.js'
import {shells} from './scripts/shells.js'

const plain = (values: Iterable<string>): Candidate[] => [...values].map((value) => ({value}))

const operationIds = operations.map(({id, purpose}) => ({value: id, description: purpose}))
const zones = () => plain(['local', 'utc', ...Intl.supportedValuesOf('timeZone')])

/** Words by the name of the argument that takes them, or by the flag with what its help says that it takes. */
export const wordLists: Readonly<Record<string, readonly Candidate[]>> = {
  action: plain(new Set(Object.keys(stateRules).map((id) => id.split('.')[1] ?? id))),
  code: codes.map((value) => ({value, description: catalogue[value].general.condition})),
  key: settings.map(({key, what}) => ({value: key, description: what})),
  method: plain(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']),
  operation: operationIds,
  route: operationIds.map(({value, description}) => ({value: `${value}=`, description})),
  service: plain(['room', 'asset', 'push']),
  shell: plain(shells),
  '--output FORMAT': plain(formats),
  '--operation ID': operationIds,
  '--status STATE': plain(roomStates),
  '--kind KIND': plain(assetKinds),
  '--view VIEW': plain(resourceViews),
  '--platform NAME': plain(platforms),
  '--to DEVICES': plain(destinations),
  '--dispatch TYPE': plain(dispatchTypes),
  get '--tz ZONE'() {
    return zones()
  },
}

/** The words of `ios|android|windows`; undefined for anything else. */
export function enumerated(text: string): Candidate[] | undefined {
  return /^[\w-]+(?:\|[\w-]+)+$/u.test(text) ? plain(text.split('|')) : undefined
}

/** What a setting can be, where it is one of a few words. */
export function valuesOfSetting(key: string): readonly Candidate[] {
  if (key === 'tz') return zones()
  return plain(settings.find((setting) => setting.key === key)?.choices ?? [])
}
