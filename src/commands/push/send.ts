import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, rowFlags, severalArg} from '../../cli/flags/flags.js'
import {pushSendFlags, readPush, sendPush} from '../../features/push/send.js'
import {sentRows} from '../../view/push/requests.js'

export default class PushSend extends RoomctlCommand {
  static override changes = true
  static override summary = 'Send a push to users'
  static override rows = sentRows
  static override description =
    `Recipients come from arguments, a file or stdin, each once; they are sent in batches, and every recipient gets a row with its
transaction. Asks before sending to more than 20. Exits with 11 if a transaction failed or the answer omits a recipient. A
request whose answer was lost is never sent again; the outcome of its recipients is unknown. Sending to IOS is documented as
not supported and is refused before anything is sent.`
  static override args = {user: severalArg('USER', 'user ids; - reads them from stdin, one per line')}
  static override flags = {...pushSendFlags, ...rowFlags}
  static override examples = commandExamples({
    'Notify two users, with data for the app':
      "roomctl push send ann 김민준 --title 'Moved' --body 'Now at noon' --data room=r-standup",
    'Users listed by a program, as JSON':
      'printf "ann\\nben\\n" | roomctl push send - --title Hello --body \'We begin\' -o json',
    'See the requests without sending them':
      "roomctl push send ann ben carl --title Hello --body 'We begin' --batch 2 --dry-run",
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(PushSend)
    await sendPush(session, flags, await readPush(session, args.user ?? [], flags))
  }
}
