import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {jsonLines} from '../../support/logText.js'

/** Not yet sent, and sent already: both are in every sandbox with the demonstration. */
export const scheduled = '0f8fad5b-d9cb-469f-a165-70867728950e'
export const sent = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

/** The application that every command of these tests is about. */
export const env = {ROOMCTL_APPLICATION_ID: 'app-1', NO_COLOR: '1'}

/** The content of a push, as flags. */
export const hello = ['--title', 'Hello', '--body', 'We begin']

/** The lines of the journal of a home. */
export function journalOf(home: string): Record<string, unknown>[] {
  const text = readFileSync(join(home, '.local/state/roomctl/journal.ndjson'), 'utf8')
  return jsonLines(text)
}
