import type {LockRow} from '../../upload/sync/lock.js'
import type {ListView} from '../format/columns.js'

const differenceColours = {missing: 'red', changed: 'yellow', new: 'green', stamp: 'red'} as const

/** One row for each file by which lock, folder and container differ. `why`: the clause that explains it, for people. */
export function frozenView(why: (path: string) => string | undefined): ListView<LockRow> {
  return {
    id: ({path}) => path,
    empty: 'no differences',
    columns: [
      {name: 'path', value: ({path}) => path, fit: 'path', kept: true},
      {
        name: 'difference',
        value: ({difference}) => difference,
        paint: (text, {difference}, style) => style[differenceColours[difference]](text),
      },
      {name: 'why', value: ({path}) => why(path), fit: 'prose', only: 'table'},
    ],
  }
}
