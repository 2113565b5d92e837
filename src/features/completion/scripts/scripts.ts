import {bashScript} from './bash.js'
import {fishScript} from './fish.js'
import {powershellScript} from './powershell.js'
import type {Shell} from './shells.js'
import {zshScript} from './zsh.js'

/** What each shell reads to complete the commands of the tool. */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
}
