import {writePrivate} from '../../cli/files/writeFile.js'
import {safeText} from '../../text/text.js'
import type {BulkRow} from '../../view/room/change.js'

/**
 * Writes the ids of what failed or was not tried, one a line, each after a comment that says why: the commands that take ids on
 * stdin pass over comments. Raises a Failure (file).
 */
export function writeFailed<Row extends BulkRow>(path: string, rows: readonly Row[], id: (row: Row) => string): void {
  const lines = rows
    .filter(({outcome}) => outcome !== 'done')
    .flatMap((row) => {
      const why = row.error ? `${row.error.message} (${row.error.code})` : (row.reason ?? row.outcome)
      const target = id(row)
      // A line break in an id would make two of one.
      return [`# ${safeText(why)}`, safeText(target) === target ? target : `# ${safeText(target)}`]
    })
  writePrivate(path, lines.map((line) => `${line}\n`).join(''))
}
