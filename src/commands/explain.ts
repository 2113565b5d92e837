import {LocalCommand} from '../cli/app/baseCommand.js'
import {commandExamples, optionalArg, rowFlags, valueFlag} from '../cli/flags/flags.js'
import {isForPeople, presentList, presentText} from '../cli/output/present.js'
import {explanations} from '../features/explain/explanations.js'
import {explanationList, explanationText} from '../view/system/explanation.js'

export default class Explain extends LocalCommand {
  static override summary = 'Explain an error code and what to do'
  static override rows = explanationList
  static override description =
    `Shows every documented code with its meaning for each operation, as one code may have several meanings: RE001 differs
between start and stop. Without CODE, lists all codes, or those of --operation. The asset and push services have no error
codes; use an HTTP status instead.`
  static override args = {code: optionalArg('CODE', 'an error code, such as ER001, or an HTTP status')}
  static override flags = {
    ...rowFlags,
    operation: valueFlag('ID', 'only for this operation, such as record.stop'),
  }
  static override examples = commandExamples({
    'One code': 'roomctl explain ER001',
    'One code of one operation, for a program': 'roomctl explain RE001 --operation record.stop -o json',
    'What can go wrong with an asset': 'roomctl explain --operation asset.list',
    'Why a notification can no longer be cancelled': 'roomctl explain 403 --operation push.cancel',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(Explain, {editing: true})
    const {matches, remark} = explanations(args.code, flags.operation)
    if (remark !== undefined) session.view.note?.(remark)
    if (args.code !== undefined && isForPeople(session)) {
      return presentText(session, explanationText(matches, session.view.style))
    }
    await presentList(session, matches, explanationList)
  }
}
