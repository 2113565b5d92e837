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
    advice: 'pipe it into stdin, or name a file with --token-file',
  })
  if (/\s/u.test(token)) throw withSpace(token, file)
  const [, doubt] = doubts.find(([isWrong]) => isWrong(token, type)) ?? []
  if (doubt !== undefined) session.warn(`note: the device token ${doubt}`)
  return token
}

/** push, Device token registration: one or more characters, none of them white space. */
function withSpace(token: string, file: string | undefined): Failure {
  const isFile = file !== undefined && file !== '-'
  const message = `the device token contains white space; nothing was sent${isFile ? `: ${file}` : ''}`
  return failureWith(isFile ? 'file' : 'usage', message, {
    why: 'a token contains no white space',
    try: described.test(token)
      ? 'let the application write the bytes as hexadecimal digits, since this text leaves some out'
      : 'remove the spaces, and < and >; iOS shows a token in groups',
  })
}

/** How iOS 13 describes the bytes of a token: `{length = 32, bytes = 0xa1d1 ... f00c}`. */
const described = /length\s*=|bytes\s*=/iu
const hexadecimal = /^[0-9a-f]+$/iu

type Doubt = readonly [isWrong: (token: string, type: PushType) => boolean, text: string]

/** Frequent mistakes in tokens, likeliest first. A service may have other tokens, so they are notes; each follows `the device token`. */
const doubts: readonly Doubt[] = [
  [(token) => /^["']*Expo(?:nent)?PushToken/iu.test(token), 'is of Expo, whose own service alone takes it'],
  [(token) => /"endpoint"|^["']*https?:/iu.test(token), 'is a subscription of Web Push, which is no token'],
  [(token) => described.test(token), 'is a description of its bytes, which leaves some out'],
  [
    (token) => /^[<("']*(?:undefined|null|nil|none|nan|true|false|optional\(.*|\[object.*)[>)"']*$/iu.test(token),
    'is a word of a programming language, so the variable had no token',
  ],
  [(token) => /[<>]/u.test(token), 'contains < or >; only the text between them is the token'],
  [(token) => /^["'].*["']$/u.test(token), 'is in quotes, which are sent with it'],
  [(token) => /[{}[\]()]/u.test(token), 'contains braces or brackets, which no token has'],
  [(token) => /^[0-9a-f]+(?:[-:][0-9a-f]+)+$/iu.test(token), 'has dashes or colons between its digits; remove them'],
  [
    (token, type) => type === 'ANDROID' && /^[0-9a-f]{64}$/iu.test(token),
    'has 64 hexadecimal digits, which look like an iOS token, but --type is ANDROID',
  ],
  [
    (token, type) => type === 'IOS' && /:APA91/u.test(token),
    'looks like a Firebase token for Android, but --type is IOS',
  ],
  [
    (token, type) => type === 'IOS' && hexadecimal.test(token) && token.length % 2 === 1,
    'has an odd number of hexadecimal digits, so one is missing',
  ],
  [
    (token, type) => type === 'IOS' && hexadecimal.test(token) && token.length < 64,
    'has fewer than the 64 hexadecimal digits of APNs',
  ],
  [
    // 32 bytes, the usual token: 43 characters of base64 and perhaps a filling =.
    (token, type) => type === 'IOS' && /^[\w+/-]{43}=?$/u.test(token),
    'looks like base64; APNs expects hexadecimal: base64 -d | od -An -tx1 | tr -d " \\n"',
  ],
  [(token) => !/^[\x21-\x7e]+$/u.test(token), 'contains characters other than printable ASCII'],
]
