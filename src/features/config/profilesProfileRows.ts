import type {Session} from '../../cli/session/session.js'
import {sandboxName} from '../../storage/profile/names.js'
import {openProfileFile} from '../../storage/profile/open.js'
import type {ProfileRow} from '../../view/tool/setting.js'

/** Every profile of the file, and the built-in one. */
export async function profileRows({places, resolved}: Session): Promise<ProfileRow[]> {
  const {profiles} = await openProfileFile(places.config)
  const own = Object.entries(profiles).map(([name, profile]) => ({
    name,
    current: name === resolved.name,
    room_url: profile['room.url'] ?? null,
    protected: profile.protected === true,
    read_only: profile.readOnly === true,
    logged_in: Object.keys(profile.credentials ?? {}),
  }))
  return [
    ...own,
    {
      name: sandboxName,
      current: resolved.isSandbox,
      room_url: null,
      protected: false,
      read_only: false,
      logged_in: ['room'],
    },
  ]
}
