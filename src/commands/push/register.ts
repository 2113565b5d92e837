import * as Flags from '@oclif/core/flags'
import {Failure} from '../../api/contract/failure.js'
import {type PushType, pushTypes, register} from '../../api/contract/push.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, requiredArg, tokenFileFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {requireId} from '../../cli/input/readIds.js'
import {readSecret} from '../../cli/input/readSecret.js'
import {describeChange, questionOn} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {mutate} from '../../features/mutation/mutate.js'
import {deviceType} from '../../features/push/flags.js'
import {safeText} from '../../text/text.js'

export default class PushRegister extends RoomctlCommand {
  static override summary = 'Register a device token for a user'
  static override description =
    `The token comes from stdin, a file or a hidden prompt, never from the command line. An unknown user is created, so check the
id; for a known user the token is added to the others. White space in a token is refused; other oddities, such as a token of
the other platform, are warnings.`
  static override args = {user: requiredArg('USER', 'id of the user')}
  static override flags = {
    type: Flags.string({...deviceType, required: true}),
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
      previewed: {note: `${userId} is created if the service does not know the user yet`},
      members: ['user_id', 'push_type'],
      result: ({input}) => ({
        value: body,
        id: userId,
        sentence: `registered an ${type} token of ${input.body.push_token.length} characters for user ${safeText(userId)}`,
      }),
    })
  }
}

/**
 * A device token from the file that was named, `-` being stdin, else from stdin, on a terminal from a hidden prompt. What
 * looks wrong about it is said on stderr. Raises a Failure (usage; file where its file is the cause): white space in it, or
 * what `readSecret` refuses. No message holds the token or a part of it.
 */
export async function readDeviceToken(session: Session, type: PushType, file: string | undefined): Promise<string> {
  const token = await readSecret(session, {
    what: 'device token',
    flag: 'token',
    file,
    stdin: file === undefined,
    prompt: questionOn(session, 'push', `Device token (${type}):`),
    advice: 'pipe it into stdin, or name a file with --token-file FILE',
  })
  if (/\s/u.test(token)) throw withSpace(file)
  for (const doubt of doubtsAbout(token, type)) session.warn(`warning: ${doubt}`)
  return token
}

/** push, Device token registration: one or more characters, none of them white space. */
function withSpace(file: string | undefined): Failure {
  const isFile = file !== undefined && file !== '-'
  return new Failure({
    exit: isFile ? 'file' : 'usage',
    message: `the device token contains white space; nothing was sent${isFile ? `: ${file}` : ''}`,
    why: 'a token contains no white space',
    try: 'remove the spaces, and < and >; iOS shows a token in groups',
  })
}

/** What people get wrong about tokens, likeliest first. A service may have tokens of its own, so none of it is an error. */
function doubtsAbout(token: string, type: PushType): string[] {
  return [
    ...surroundingsOf(token),
    ...(type === 'ANDROID' ? doubtsAboutAndroid(token) : doubtsAboutIos(token)),
    ...(/^[\x21-\x7e]+$/u.test(token) ? [] : ['the device token contains characters other than printable ASCII']),
  ]
}

function surroundingsOf(token: string): string[] {
  if (/[<>]/u.test(token)) return ['the device token contains < or >; only the text between them is the token']
  return /^["'].*["']$/u.test(token) ? ['the device token is in quotes, which are sent with it'] : []
}

function doubtsAboutAndroid(token: string): string[] {
  return /^[0-9a-f]{64}$/iu.test(token) ? ['64 hexadecimal digits look like an iOS token, but --type is ANDROID'] : []
}

function doubtsAboutIos(token: string): string[] {
  if (/:APA91/u.test(token)) return ['this looks like a Firebase token for Android, but --type is IOS']
  // 32 bytes, the usual token: 43 characters of base64 and perhaps a filling =.
  if (/^[\w+/-]{43}=?$/u.test(token)) {
    return ['the device token looks like base64; APNs expects hexadecimal: base64 -d | od -An -tx1 | tr -d " \\n"']
  }
  return []
}
