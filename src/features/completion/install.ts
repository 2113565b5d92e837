import {lstatSync, realpathSync} from 'node:fs'
import {basename, dirname, posix, win32} from 'node:path'
import type {Environment, Runtime} from '../../cli/runtime/runtime.js'
import {type Failure, fileFailure} from '../../failure.js'
import {makeFolders, readRegularFile, systemReason, UnusableFile} from '../../storage/disk/privateFile.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'
import {shellWord} from '../../text/text.js'
import {completionScripts, completionShells, type Shell} from './scripts.js'

/** The installed file, and the manual step, if any: add `line` to `add_to`. */
type InstallResult = ReturnType<typeof installScript>

const largestProfile = 1024 * 1024

/** In the first lines of each of our scripts. */
const scriptMark = '# roomctl completion for '

/** Writes the script of a shell if it has changed, never the shell's start file. Throws Failure (file). */
export function installScript(shell: Shell, runtime: Runtime, dryRun: boolean) {
  const {file, line = null, startFile = null} = scriptLocation(shell, runtime)
  const there = readScript(file)
  const isSame = there === completionScripts[shell]
  if (there !== undefined && !there.includes(scriptMark)) throw notOurScript(file)
  if (!isSame && !dryRun) write(file, completionScripts[shell])
  const outcome = isSame ? 'unchanged' : dryRun ? 'planned' : 'written'
  return {shell, file, outcome, line, add_to: startFile} as const
}

function readScript(file: string): string | undefined {
  try {
    return readRegularFile(file, largestProfile)?.toString('utf8')
  } catch (error) {
    if (error instanceof UnusableFile) throw notOurScript(file)
    throw cannot('read', file, error)
  }
}

function write(file: string, text: string): void {
  try {
    makeFolders(dirname(file))
    // A symbolic link, for example into a dotfiles folder, is kept.
    const isLink = lstatSync(file, {throwIfNoEntry: false})?.isSymbolicLink() === true
    replaceFile(isLink ? realpathSync(file) : file, Buffer.from(text))
  } catch (error) {
    throw cannot('write', file, error)
  }
}

function cannot(verb: string, file: string, error: unknown): Failure {
  const message = `cannot ${verb} ${file}: ${systemReason(error)}`
  const advice = 'to install the script elsewhere: roomctl completion SHELL'
  return fileFailure(message, {try: advice}, {cause: error})
}

function notOurScript(file: string): Failure {
  return fileFailure(`${file} is not a script of roomctl`, {
    why: 'it was left unchanged because roomctl did not create it',
    try: `move it away, or: roomctl completion SHELL > ${shellWord(file)}`,
  })
}

export function shellOf({env, platform}: Pick<Runtime, 'env' | 'platform'>): Shell | undefined {
  const name = basename(env.SHELL ?? '')
  return completionShells.find((shell) => shell === name) ?? (platform === 'win32' ? 'powershell' : undefined)
}

export function describeInstall({shell, file, outcome, line, add_to: startFile}: InstallResult): string {
  const done = {
    written: `wrote ${file}`,
    unchanged: `${file} is up to date`,
    planned: `would write ${file}`,
  }[outcome]
  return [done, ...howToLoad(shell, line, startFile)].join('\n')
}

function howToLoad(shell: Shell, line: string | null, startFile: string | null): string[] {
  if (line === null) return [`new ${shell} sessions load it automatically`]
  const needed = shell === 'bash' ? 'without the bash-completion package, bash loads it' : `${shell} reads it`
  return [`${needed} after you add this line to ${startFile}:`, `  ${line}`]
}

interface ScriptLocation {
  readonly file: string
  /** The start file that must load it; absent if the shell finds it itself. */
  readonly startFile?: string
  readonly line?: string
}

/** The conventional place. Bash finds it only with the package bash-completion, so there is a line for it, too. */
export function scriptLocation(
  shell: 'bash' | 'zsh' | 'fish' | 'powershell',
  {env, home, platform}: Pick<Runtime, 'env' | 'home' | 'platform'>,
): ScriptLocation {
  const {join} = platform === 'win32' ? win32 : posix
  const data = absolute(env, 'XDG_DATA_HOME') ?? join(home, '.local', 'share')
  const config = absolute(env, 'XDG_CONFIG_HOME') ?? join(home, '.config')
  switch (shell) {
    case 'bash': {
      const folder = absolute(env, 'BASH_COMPLETION_USER_DIR') ?? join(data, 'bash-completion')
      const file = join(folder, 'completions', 'roomctl')
      return {file, startFile: join(home, '.bashrc'), line: `source ${shellWord(file)}`}
    }
    case 'zsh': {
      const folder = join(data, 'zsh', 'site-functions')
      const line = `fpath=(${shellWord(folder)} $fpath); autoload -Uz compinit && compinit`
      return {file: join(folder, '_roomctl'), startFile: join(absolute(env, 'ZDOTDIR') ?? home, '.zshrc'), line}
    }
    case 'fish':
      return {file: join(config, 'fish', 'completions', 'roomctl.fish')}
    case 'powershell': {
      const folder = platform === 'win32' ? join(home, 'Documents', 'PowerShell') : join(config, 'powershell')
      const file = join(folder, 'roomctl-completion.ps1')
      return {file, startFile: '$PROFILE', line: `. '${file.replaceAll("'", "''")}'`}
    }
  }
}

function absolute(env: Environment, name: string): string | undefined {
  const value = env[name]
  return value && (posix.isAbsolute(value) || win32.isAbsolute(value)) ? value : undefined
}
