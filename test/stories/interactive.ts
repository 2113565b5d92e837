import {appendFileSync, mkdirSync} from 'node:fs'
import path from 'node:path'
import {expect} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace, type Place, shell} from './place.js'

/** The shells of Debian in which the scripts are tried, and how a person starts each. */
export const started = {
  bash: ['bash', '--noprofile', '-i'],
  zsh: ['zsh', '-i'],
  fish: ['fish', '-i'],
} as const
export type Tried = keyof typeof started
export const tried = Object.keys(started) as Tried[]

const prompt = 'READY> '
const prompts: Readonly<Record<Tried, string>> = {
  bash: `PS1='${prompt}'; bind 'set bell-style none'; bind 'set page-completions off'`,
  zsh: `PS1='${prompt}'; unsetopt prompt_sp`,
  fish: `function fish_prompt; echo -n '${prompt}'; end; function fish_greeting; end`,
}

/** Clears the typed text. */
export const clear = '\u0015'

/** Where the help says that the script of each shell belongs, and the line of the start file that loads it. */
const scripts: Readonly<Record<Tried, {readonly file: string; readonly startFile: string; readonly line: string}>> = {
  bash: {
    file: '.local/share/bash-completion/completions/roomctl',
    startFile: '.bashrc',
    line: 'source ~/.local/share/bash-completion/completions/roomctl',
  },
  // compinit asks where files belong to another user than the one that runs it, as in a container; -u answers.
  zsh: {
    file: '.zfunc/_roomctl',
    startFile: '.zshrc',
    line: 'fpath=(~/.zfunc $fpath); autoload -Uz compinit && compinit -u',
  },
  fish: {file: '.config/fish/completions/roomctl.fish', startFile: '.config/fish/config.fish', line: ''},
}

/** A fresh home in which the script of the shell is where its help says. */
export async function installedPlace(name: Tried, env: Readonly<Record<string, string>>): Promise<Place> {
  const place = freshPlace(env)
  const {file, startFile, line} = scripts[name]
  for (const made of [file, startFile]) mkdirSync(path.dirname(path.join(place.dir, made)), {recursive: true})
  const saved = await shell(place, `roomctl completion ${name} > ${path.join(place.dir, file)}`)
  expect(saved).toMatchObject({exit: 0, stdout: '', stderr: ''})
  appendFileSync(path.join(place.dir, startFile), `${prompts[name]}\n${line}\n`)
  return place
}

/** Types keys into the shell, one after the other, each when the expected text of the one before has appeared; returns the screen. */
export async function typed(
  name: Tried,
  place: Place,
  steps: readonly {readonly send: string; readonly expect: string}[],
): Promise<string> {
  const sends = [...steps.map(({send}) => send), `${clear}exit\r`]
  const seen = await onTerminal({
    command: started[name],
    env: {...place.env, TERM: 'xterm', SHELL: name},
    cwd: place.dir,
    columns: 120,
    timeout: 60,
    steps: sends.map((send, at) => ({expect: steps[at - 1]?.expect ?? prompt, send})),
  })
  expect(seen.waiting, seen.text).toBeNull()
  expect(seen.timed_out, seen.text).toBe(false)
  return seen.text
}
