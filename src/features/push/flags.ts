import * as Flags from '@oclif/core/flags'
import {pushTypes} from '../../api/contract/push.js'
import {applicationFlags, changeFlags} from '../../cli/flags/flags.js'

/** What every push says (push §2 to §4). */
export const messageFlags = {
  title: Flags.string({required: true, helpValue: 'TEXT', summary: 'title of the notification'}),
  body: Flags.string({required: true, helpValue: 'TEXT', summary: 'text of the notification'}),
  'allow-unsupported': Flags.boolean({summary: 'send even what is documented as not supported'}),
}

/** Flags of every command that registers a credential. */
export const registeringFlags = {
  ...applicationFlags,
  ...changeFlags,
  'allow-assumed': Flags.boolean({
    helpGroup: 'SAFETY',
    summary: 'send the credential to a route that is only assumed',
  }),
}

/** The flag `--type`, to which a command adds whether it is required. */
export const deviceType = {helpValue: pushTypes.join('|'), summary: 'platform of the device'} as const

export const expiresWithinFlag = Flags.string({helpValue: '30d', summary: 'exit 15 if it expires within this time'})
