type Row = Record<PropertyKey, unknown>

/** The names of the members of a row that have another type than the document shows. A copy of the row has them, and JSON lacks them. */
const unreadableMembers = Symbol('unreadable members')

/** Receives each row with an optional member of another type; the member is null then. */
export type UnreadableCells = (name: string, row: Readonly<Row>) => void

export function setUnreadable(row: Row, name: string): Row {
  row[name] = null
  row[unreadableMembers] = [row[unreadableMembers] ?? [], name].flat()
  return row
}

export function isUnreadable(row: unknown, name: string): boolean {
  const names = typeof row === 'object' && row !== null ? Reflect.get(row, unreadableMembers) : undefined
  return Array.isArray(names) && names.includes(name)
}
