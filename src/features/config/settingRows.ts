import type {Resolved} from '../../storage/profile/resolve.js'
import type {SettingRow} from '../../view/tool/setting.js'

const services = ['room', 'asset', 'push'] as const

/** Every setting of a run with its source, and the tokens as where they are kept, never themselves. */
export function settingRows(resolved: Resolved): SettingRow[] {
  const settings = resolved
    .list()
    .map(({key, value, source, env}) => ({key, value: value ?? null, source, env: env ?? null}))
  return [...settings, ...services.map((service) => tokenRow(resolved, service))]
}

function tokenRow(resolved: Resolved, service: (typeof services)[number]): SettingRow {
  const env = `ROOMCTL_${service.toUpperCase()}_TOKEN`
  const key = `${service}.token`
  if (resolved.isSandbox) return {key, value: 'built in', source: 'default', env}
  if (resolved.envToken(service) !== undefined) return {key, value: 'set', source: 'env', env}
  const stored = resolved.credential(service)
  if (stored === undefined) return {key, value: null, source: 'default', env}
  return {
    key,
    value: `in the ${stored.store === 'file' ? 'profile' : stored.store}, for ${stored.origin}`,
    source: 'profile',
    env,
  }
}
