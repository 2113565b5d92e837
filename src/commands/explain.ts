import * as Flags from '@oclif/core/flags'
import {LocalCommand} from '../cli/command.js'
import {explanations} from '../cli/explanations.js'
import {optionalArg} from '../cli/flags.js'
import {presentList, presentText} from '../cli/present.js'
import {explanationList, explanationText} from '../view/explanation.js'

export default class Explain extends LocalCommand {
  static override summary = 'Say what an error code means and what to do'
  static override description =
    `Every code of the documents with its meaning for each operation that can answer it, as one code may mean
different things: RE001 differs between start and stop. Without CODE it lists them all.`
  static override args = {code: optionalArg('CODE', 'an error code, such as ER001')}
  static override flags = {
    operation: Flags.string({helpValue: 'ID', summary: 'for one operation only, such as record.stop'}),
  }
  static override examples = [
    {description: 'One code', command: '<%= config.bin %> explain ER001'},
    {
      description: 'One code of one operation, for a program',
      command: '<%= config.bin %> explain RE001 --operation record.stop -o json',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Explain)
    const session = await this.open(flags, {editing: true})
    const found = explanations(args.code, flags.operation)
    if (session.output.format === 'table' && args.code !== undefined) {
      return presentText(session, explanationText(found, session.view.style))
    }
    await presentList(session, found, explanationList)
  }
}
