import {existsSync} from 'node:fs'
import {basename, join} from 'node:path'
import type {Diagnosis} from '../../view/doctor.js'
import type {Environment} from '../runtime.js'
import {hint, ok} from './finding.js'

const check = 'completion'

/** Where the shells look for the completion of a program of this user. */
function placesOf(shell: string, env: Environment, home: string): string[] | undefined {
  const data = env.XDG_DATA_HOME || join(home, '.local/share')
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  const bash = join(env.BASH_COMPLETION_USER_DIR || join(data, 'bash-completion'), 'completions/roomctl')
  const places: Readonly<Record<string, string[]>> = {
    bash: [bash, '/usr/share/bash-completion/completions/roomctl', '/etc/bash_completion.d/roomctl'],
    zsh: [
      ...(env.FPATH ?? '')
        .split(':')
        .filter((folder) => folder !== '')
        .map((folder) => join(folder, '_roomctl')),
      join(data, 'zsh/site-functions/_roomctl'),
      join(home, '.zfunc/_roomctl'),
      '/usr/local/share/zsh/site-functions/_roomctl',
      '/usr/share/zsh/site-functions/_roomctl',
    ],
    fish: [
      join(config, 'fish/completions/roomctl.fish'),
      join(data, 'fish/vendor_completions.d/roomctl.fish'),
      '/usr/share/fish/vendor_completions.d/roomctl.fish',
    ],
  }
  return Object.hasOwn(places, shell) ? places[shell] : undefined
}

/** Whether the user's shell completes roomctl's words. No line for a shell that is not known. */
export function checkCompletion(env: Environment, home: string): Diagnosis[] {
  const shell = basename(env.SHELL ?? '')
  const places = placesOf(shell, env, home)
  if (places === undefined) return []
  const found = places.find((path) => existsSync(path))
  if (found) return [ok(check, `completion for ${shell} is in place`, {shell, path: found})]
  return [hint(check, `${shell} does not complete roomctl's words`, `roomctl completion ${shell} --install`, {shell})]
}
