import {fileSize} from '../../text/bytes.js'
import type {CardView} from '../format/columns.js'

/** An answer that is a file: what it is, without its bytes. */
export interface AnsweredFile {
  readonly resource: string
  readonly content_type: string | null
  /** Bytes; null where the answer does not tell. */
  readonly size: number | null
}

export const fileCard: CardView<AnsweredFile> = {
  title: ({resource}) => resource,
  titleColumn: 'resource',
  id: ({resource}) => resource,
  columns: [
    {name: 'resource', value: ({resource}) => resource, id: true},
    {name: 'content_type', value: ({content_type: type}) => type},
    {name: 'size', value: ({size}) => size, show: ({size}) => (size === null ? 'not told' : fileSize(size))},
  ],
}
