import {token} from '../../api/contract/attendee.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, roomArg, switchFlag, userArg, valueFlag} from '../../cli/flags/flags.js'
import {pickRoom, pickUser} from '../../cli/prompts/pickers.js'
import {mutate} from '../../features/mutation/mutate.js'
import {safeText, unlessError} from '../../text/text.js'

export default class AttendeeToken extends RoomctlCommand {
  static override changes = true
  static override summary = 'Request a room access token for a user'
  static override description =
    `The token lets the user enter the room over a websocket; stdout contains nothing else. In a private room only attendees get
a token, a blocked user gets none, and an ENDED or full room refuses. --decode shows the claims of a JWT without verifying
it.`
  static override args = {room: roomArg, user: userArg}
  static override flags = {
    ...changeFlags,
    name: valueFlag('TEXT', 'name of the participant in the session'),
    decode: switchFlag('also show the claims of the token'),
  }
  static override examples = commandExamples({
    'A token for ben': 'roomctl attendee token r-standup ben',
    'When does it expire?': 'roomctl attendee token r-standup ben --decode -o json --query claims.exp',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AttendeeToken)
    const roomId = await pickRoom(session, args.room, 'attendee.token')
    const userId = await pickUser(session, roomId, args.user, 'attendee.token')
    await mutate(session, flags, {
      operation: token,
      input: () => ({path: {roomId, userId}, body: flags.name === undefined ? {} : {user_name: flags.name}}),
      members: flags.decode ? ['token', 'claims'] : ['token'],
      result: ({reply}) => {
        const claims = flags.decode ? claimsOf(reply.token) : undefined
        if (flags.decode && claims === undefined) session.warn('the token is not a JWT, so it has no claims to show')
        const lines = [safeText(reply.token), ...(claims === undefined ? [] : [safeText(claims)])]
        const value = {token: reply.token, ...(flags.decode ? {claims: claims ?? null} : {})}
        return {value, id: reply.token, sentence: lines.join('\n')}
      },
    })
  }
}

/** The claims of a JSON Web Token (RFC 7519), not verified; undefined for a token of another form (room §7). */
export function claimsOf(token: string): unknown {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  return unlessError(() => JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')), undefined)
}
