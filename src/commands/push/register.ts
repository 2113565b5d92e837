import {pushTypes, register} from '../../api/contract/push.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, requiredArg, requiredFlag, tokenFileFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {requireId} from '../../cli/input/readIds.js'
import {describeChange} from '../../cli/prompts/confirm.js'
import {mutate} from '../../features/mutation/mutate.js'
import {readDeviceToken} from '../../features/push/deviceToken.js'
import {deviceTypes} from '../../features/push/flags.js'
import {safeText} from '../../text/text.js'

export default class PushRegister extends RoomctlCommand {
  static override changes = true
  static override summary = 'Register a device token for a user'
  static override description =
    `The token comes from stdin, a file or a hidden prompt, never from an argument. An unknown user is created, so check the id;
for a known user the token is added to the others. White space in a token is refused; other oddities, such as a token of the
other platform, are warnings.`
  static override args = {user: requiredArg('USER', 'id of the user')}
  static override flags = {
    type: requiredFlag(deviceTypes, 'platform of the device'),
    'token-file': tokenFileFlag,
    ...changeFlags,
  }
  static override examples = commandExamples({
    'From stdin, in a script':
      'printf %s "cXk3:APA91bHun4MxP5egoKMwt2KZFBaFUH" | roomctl push register ann --type ANDROID',
    'See the request without sending it': 'printf "%064d" 0 | roomctl push register 김민준 --type IOS --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushRegister)
    const userId = requireId('USER', args.user)
    const type = parseChoice('--type', flags.type, pushTypes)
    const session = await this.open(flags)
    const body = {user_id: userId, push_type: type}
    await mutate(session, flags, {
      operation: register,
      doing: describeChange(register, {body}),
      // The token is asked for once the change may be made at all.
      input: async () => ({body: {...body, push_token: await readDeviceToken(session, type, flags['token-file'])}}),
      note: `${userId} is created if the service does not know the user yet`,
      members: ['user_id', 'push_type'],
      result: () => ({
        value: body,
        id: userId,
        sentence: `registered ${safeText(userId)}’s ${type === 'IOS' ? 'iOS' : 'Android'} device`,
      }),
    })
  }
}
