import type {PushType} from '../../api/contract/push.js'
import {readSecret} from '../../cli/input/readSecret.js'
import {questionOn} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith} from '../../failure.js'

/** A device token from a file, stdin or a hidden prompt. No message holds a part of it. Throws Failure (usage, file). */
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
  return failureWith(
    isFile ? 'file' : 'usage',
    `the device token contains white space; nothing was sent${isFile ? `: ${file}` : ''}`,
    {why: 'a token contains no white space', try: 'remove the spaces, and < and >; iOS shows a token in groups'},
  )
}

/** Frequent mistakes in tokens, likeliest first. A service may have other tokens, so these are warnings. */
function doubtsAbout(token: string, type: PushType): string[] {
  const isAndroid = type === 'ANDROID'
  const doubts: readonly [boolean, string][] = [
    [/[<>]/u.test(token), 'the device token contains < or >; only the text between them is the token'],
    [/^["'].*["']$/u.test(token), 'the device token is in quotes, which are sent with it'],
    [
      isAndroid && /^[0-9a-f]{64}$/iu.test(token),
      '64 hexadecimal digits look like an iOS token, but --type is ANDROID',
    ],
    [!isAndroid && /:APA91/u.test(token), 'this looks like a Firebase token for Android, but --type is IOS'],
    [
      // 32 bytes, the usual token: 43 characters of base64 and perhaps a filling =.
      !isAndroid && /^[\w+/-]{43}=?$/u.test(token),
      'the device token looks like base64; APNs expects hexadecimal: base64 -d | od -An -tx1 | tr -d " \\n"',
    ],
    [!/^[\x21-\x7e]+$/u.test(token), 'the device token contains characters other than printable ASCII'],
  ]
  return doubts.flatMap(([applies, text]) => (applies ? [text] : []))
}
