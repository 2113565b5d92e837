import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Circumstances, cli, freshHome, type Ran} from '../../support/cli.js'

/** A home folder without profiles, and command lines in it that name no profile unless they do so themselves. */
export interface Home {
  readonly folder: string
  readonly cli: (line: string | readonly string[], circumstances?: Circumstances) => Promise<Ran>
  /** The raw profile file. */
  readonly text: () => string
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into its contents.
  readonly file: () => any
}

export function emptyHome(): Home {
  const folder = freshHome()
  const text = () => readFileSync(join(folder, '.config/roomctl/config.json'), 'utf8')
  return {
    folder,
    cli: (line, circumstances = {}) =>
      cli(line, {home: folder, ...circumstances, env: {ROOMCTL_PROFILE: '', ...circumstances.env}}),
    text,
    file: () => JSON.parse(text()),
  }
}
