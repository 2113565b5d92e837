import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'

/**
 * Refuses what needs a whole result: a watch has lines, for people or as ndjson. Raises a Failure (usage).
 */
export function checkWatchOutput({output}: Session): void {
  const {format, columns, sort, query} = output
  if (format !== 'table' && format !== 'ndjson') {
    throw new Failure({
      exit: 'usage',
      message: `a watch cannot be written as ${format}`,
      why: 'it is a result without an end, and needs a format of lines',
      try: '-o ndjson, one object a line',
    })
  }
  const given = Object.entries({columns, sort, query}).find(([, value]) => value !== undefined)
  if (!given) return
  throw new Failure({
    exit: 'usage',
    message: `--${given[0]} cannot be used with a watch`,
    why: 'it writes events, and no list that is done',
    try: '-o ndjson, and a program such as jq behind it',
  })
}
