import {LocalCommand} from '../cli/app/baseCommand.js'
import {commandExamples, optionalArg, switchFlag} from '../cli/flags/flags.js'
import {parseChoice} from '../cli/flags/parseValues.js'
import {presentDone, presentText, resultView} from '../cli/output/present.js'
import {type Failure, wrongUsage} from '../failure.js'
import {describeInstall, installScript, shellOf} from '../features/completion/install.js'
import {completionScripts, completionShells} from '../features/completion/scripts.js'
import {safeText} from '../text/text.js'

export default class Completion extends LocalCommand {
  static override summary = 'Print or install shell completion'
  static override description =
    `Completes commands, flags and values, profiles, rooms, users, containers and uploads; rooms that the command can act on come
first. Candidates from a service take at most 1.5 seconds and are cached for a minute. They need a token from the environment
or the profile file: no keyring is opened and no command is run. --install writes the script to the place where the shell
looks for it. It changes no startup file, and prints the line to add if one is needed. To uninstall, remove the script. The
PowerShell script is untested; Windows PowerShell 5.1 does not complete a lone - or --.`
  static override args = {shell: optionalArg('SHELL', `${completionShells.join(', ')} (default: your shell)`)}
  static override flags = {
    install: switchFlag('install the script and show how to load it'),
    'dry-run': switchFlag('show what --install would write; change nothing', {dependsOn: ['install']}),
  }
  static override examples = commandExamples({
    'The script itself': 'roomctl completion bash',
    'Install it': 'roomctl completion fish --install',
    'See where it would be installed': 'roomctl completion zsh --install --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(Completion, {editing: true})
    const shell =
      args.shell === undefined ? shellOf(session.runtime) : parseChoice('SHELL', args.shell, completionShells)
    if (shell === undefined) throw noShell()
    if (!flags.install) return presentText(session, completionScripts[shell].trimEnd())
    const view = await resultView(session, ['shell', 'file', 'outcome', 'line', 'add_to'])
    const installed = installScript(shell, session.runtime, flags['dry-run'])
    const sentence = describeInstall(installed).split('\n').map(safeText).join('\n')
    await presentDone(session, view, installed, installed.file, sentence)
  }
}

function noShell(): Failure {
  return wrongUsage('SHELL is missing', {
    why: 'the environment variable SHELL names none that is known',
    try: `name ${completionShells.join(', ')}: roomctl completion bash`,
  })
}
