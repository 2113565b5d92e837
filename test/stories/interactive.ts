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

/** A fresh home in which `roomctl completion SHELL --install` was done as it says, with the line that it prints. */
export async function installedPlace(name: Tried, env: Readonly<Record<string, string>>): Promise<Place> {
  const place = freshPlace(env)
  const startFile = {bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish'}[name]
  const file = path.join(place.dir, startFile)
  mkdirSync(path.dirname(file), {recursive: true})
  const installed = await shell(place, `roomctl completion ${name} --install -o json`)
  expect(installed).toMatchObject({exit: 0, stderr: ''})
  const {line, add_to: addTo} = JSON.parse(installed.stdout) as {line: string | null; add_to: string | null}
  expect(addTo).toBe(line === null ? null : file)
  // compinit asks where files belong to another user than the one that runs it, as in a container; -u answers.
  appendFileSync(file, `${prompts[name]}\n${line?.replace('&& compinit', '&& compinit -u') ?? ''}\n`)
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
