import {posix, win32} from 'node:path'
import type {Environment, Runtime} from '../../cli/runtime/runtime.js'

/** Where a shell looks for the completion of a command. */
interface CompletionPlace {
  readonly file: string
  /** The file of the shell in which a line must stand for it to be read; absent where the shell reads it by itself. */
  readonly startFile?: string
  /** That line. */
  readonly line?: string
}

/**
 * The conventional place of the completion script in this user's folders. Bash needs the package bash-completion to read it by
 * itself, so its line is given too. Reads and creates nothing.
 */
export function completionPlace(
  shell: 'bash' | 'zsh' | 'fish' | 'powershell',
  {env, home, platform}: Pick<Runtime, 'env' | 'home' | 'platform'>,
): CompletionPlace {
  const {join} = platform === 'win32' ? win32 : posix
  const data = absolute(env, 'XDG_DATA_HOME') ?? join(home, '.local', 'share')
  const config = absolute(env, 'XDG_CONFIG_HOME') ?? join(home, '.config')
  switch (shell) {
    case 'bash': {
      const folder = absolute(env, 'BASH_COMPLETION_USER_DIR') ?? join(data, 'bash-completion')
      const file = join(folder, 'completions', 'roomctl')
      return {file, startFile: join(home, '.bashrc'), line: `source ${quoted(file)}`}
    }
    case 'zsh': {
      const folder = join(data, 'zsh', 'site-functions')
      const line = `fpath=(${quoted(folder)} $fpath); autoload -Uz compinit && compinit`
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

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
