import * as Flags from '@oclif/core/flags'
import {PlainCommand} from '../cli/app/baseCommand.js'
import {commandContextOf} from '../cli/runtime/runtime.js'
import {printCandidates} from '../features/completion/print.js'
import {completionShells} from '../features/completion/scripts.js'

export default class Complete extends PlainCommand {
  static override hidden = true
  static override strict = false
  static override summary = 'Print completions for a command line'
  static override description =
    `Used by the scripts that roomctl completion prints: the words of the line follow --, the one at the cursor last. Errors are
silent; completion never prompts, opens a keyring or runs a token command.`
  static override flags = {
    shell: Flags.option({options: completionShells, required: true, summary: 'shell whose quoting the words use'})(),
    replaced: Flags.string({summary: 'bash: the part of the line that readline is going to replace'}),
    listing: Flags.boolean({summary: 'bash: the candidates are only listed, so they may carry a description'}),
  }

  async run(): Promise<void> {
    const {argv, flags} = await this.parse(Complete)
    const {runtime} = commandContextOf(this.config)
    // oclif drops every --, and one may be the word at the cursor. PowerShell passes none before its words.
    const ending = this.argv.indexOf('--')
    const words = ending === -1 ? (argv as string[]) : this.argv.slice(ending + 1)
    await printCandidates(runtime, {...flags, words}, this.config)
  }
}
