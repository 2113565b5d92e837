import {PlainCommand} from '../cli/app/baseCommand.js'
import {parseChoice} from '../cli/flags/parseValues.js'
import {commandContextOf} from '../cli/runtime/runtime.js'
import {printCandidates} from '../features/completion/print.js'
import {completionShells} from '../features/completion/scripts.js'

const replacedOption = '--replaced='

export default class Complete extends PlainCommand {
  static override hidden = true
  static override strict = false
  static override summary = 'Print completions for a command line'
  static override description =
    `Used by the scripts that roomctl completion prints: the words of the line follow --, the one at the cursor last. Errors are
silent; completion never prompts, opens a keyring or runs a token command.`
  /** The words are those of another command: without this, oclif warns that they were not parsed. */
  override parsed = true

  /**
   * Reads what installed scripts pass: `--shell SHELL`, then of bash `--listing` if the candidates are only listed, and
   * `--replaced=TEXT`, what readline is going to replace. The words follow `--`, which PowerShell does not pass.
   */
  async run(): Promise<void> {
    const [, name = '', ...rest] = this.argv
    const shell = parseChoice('--shell', name, completionShells)
    const ending = rest.indexOf('--')
    const options = rest.slice(0, Math.max(0, ending))
    const replaced = options.find((word) => word.startsWith(replacedOption))?.slice(replacedOption.length)
    const asked = {shell, words: rest.slice(ending + 1), replaced, listing: options.includes('--listing')}
    await printCandidates(commandContextOf(this.config).runtime, asked, this.config)
  }
}
