import * as Flags from '@oclif/core/flags'
import {repeatable} from '../../cli/flags/flags.js'

/** Flags that choose among the rooms of the list. */
export const roomFilterFlags = {
  status: Flags.string({...repeatable, helpValue: 'STATE', summary: 'only rooms in this state; may be repeated'}),
  where: Flags.string({helpValue: 'EXPR', summary: 'only rooms that match the expression'}),
}

export const tenantFlag = Flags.string({helpValue: 'ID', summary: 'the tenant, where the service has tenants'})

/** The fields of a room as flags, where it is created, changed, or preset for an application (room §1, §4). */
export const roomFieldFlags = {
  description: Flags.string({helpValue: 'TEXT', summary: 'description of the room'}),
  start: Flags.string({helpValue: 'TIME', summary: 'reserved start: 2026-12-01T09:00+09:00 or +2h'}),
  end: Flags.string({helpValue: 'TIME', summary: 'reserved end'}),
  max: Flags.string({helpValue: 'N', summary: 'maximum number of attendees'}),
  public: Flags.boolean({summary: 'anybody may attend', exclusive: ['private']}),
  private: Flags.boolean({summary: 'only attendees may join', exclusive: ['public']}),
  joinable: Flags.boolean({allowNo: true, summary: 'whether participants may enter'}),
  host: Flags.string({options: ['creator', 'first'], summary: 'who becomes host: the creator or the first to enter'}),
  'elect-host': Flags.boolean({
    allowNo: true,
    summary: 'choose another host when the host leaves; otherwise the room is destroyed',
  }),
}
