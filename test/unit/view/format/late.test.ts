import {expect, test} from 'vitest'
import type {Column} from '../../../../src/view/format/columns.js'
import {drawTable} from '../../../../src/view/format/table.js'
import {drawn, place} from '../stage.js'

interface Room {
  readonly id: string
  readonly name: string
}

const columns: readonly Column<Room>[] = [
  {name: 'id', value: (room) => room.id, id: true},
  {name: 'name', value: (room) => room.name},
  {name: 'state', value: () => 'IDLE'},
]

// In a file of its own: once a text has needed the width tables, they stay loaded.
test('a text that needs the width tables is measured by them, even where the first thousand rows did not', async () => {
  const rows = Array.from({length: 1100}, (_, i) => ({id: 'r', name: i === 1050 ? '👩‍👩‍👧‍👦' : 'abcdef'}))
  const lines = (await drawn(drawTable(rows, columns, true, place()))).split('\n')
  expect(lines[1050]).toBe('r   abcdef  IDLE')
  expect(lines[1051]).toBe('r   👩‍👩‍👧‍👦      IDLE')
})
