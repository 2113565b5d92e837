import {LocalCommand} from '../cli/app/baseCommand.js'
import {commandExamples, requiredArg} from '../cli/flags/flags.js'
import {parseChoice} from '../cli/flags/parseValues.js'
import {presentText} from '../cli/output/present.js'
import {completionScripts, completionShells} from '../features/completion/scripts.js'

export default class Completion extends LocalCommand {
  static override summary = 'Print the script for shell completion'
  static override description =
    `Completes commands, flags and values, profiles, rooms, users, containers and uploads; rooms that the command can act on come
first. Candidates from a service take at most 1.5 seconds and are cached for a minute. They need a token from the environment
or the profile file: no keyring is opened and no command is run. Save the script where the shell looks for it. bash:
~/.local/share/bash-completion/completions/roomctl, or a file that ~/.bashrc sources; zsh: _roomctl in a folder of $fpath; fish:
~/.config/fish/completions/roomctl.fish; PowerShell: a file that $PROFILE runs. To uninstall, remove the file. The PowerShell
script is untested; Windows PowerShell 5.1 does not complete a lone - or --.`
  static override args = {shell: requiredArg('SHELL', completionShells.join(', '))}
  static override examples = commandExamples({
    'The script itself': 'roomctl completion bash',
    'In its place for fish':
      'mkdir -p ~/.config/fish/completions && roomctl completion fish > ~/.config/fish/completions/roomctl.fish',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(Completion, {editing: true})
    const shell = parseChoice('SHELL', args.shell, completionShells)
    await presentText(session, completionScripts[shell].trimEnd())
  }
}
