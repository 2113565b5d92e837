import {existsSync, readFileSync} from 'node:fs'
import {basename} from 'node:path'
import type {Runtime} from '../../../cli/runtime/runtime.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {completionPlace} from '../../completion/scriptLocation.js'
import {hint, ok} from './finding.js'

const check = 'completion'

/** Where a package, or whoever rules the machine, puts the script for all users. */
const forAll = {
  bash: ['/usr/share/bash-completion/completions/roomctl', '/etc/bash_completion.d/roomctl'],
  zsh: ['/usr/local/share/zsh/site-functions/_roomctl', '/usr/share/zsh/site-functions/_roomctl'],
  fish: ['/usr/share/fish/vendor_completions.d/roomctl.fish'],
} as const

/** Whether the user's shell completes roomctl's words. No line for a shell that is not known. */
export function checkCompletion(runtime: Pick<Runtime, 'env' | 'home' | 'platform'>): Diagnosis[] {
  const name = basename(runtime.env.SHELL ?? '')
  const shell = (['bash', 'zsh', 'fish'] as const).find((one) => one === name)
  if (shell === undefined) return []
  const {file, startFile, line} = completionPlace(shell, runtime)
  const path = [file, ...forAll[shell]].find((one) => existsSync(one))
  const details = {shell, path: path ?? null}
  if (path === undefined) {
    return [hint(check, `${shell} does not complete roomctl's words`, `roomctl completion ${shell} --install`, details)]
  }
  // Bash reads that folder by itself with bash-completion, which nearly every system has; zsh never does.
  if (shell === 'zsh' && path === file && startFile && line && !mentions(startFile, 'site-functions')) {
    const what = `completion for zsh is at ${path}, and ${startFile} does not name its folder`
    return [hint(check, what, `add to ${startFile}: ${line}`, details)]
  }
  return [ok(check, `completion for ${shell} is in place`, details)]
}

function mentions(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(text)
  } catch {
    return false
  }
}
