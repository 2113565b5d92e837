import {cellText} from './cell.js'
import type {Column} from './column.js'
import type {CardView, Section} from './columns.js'
import type {ViewContext} from './context.js'
import {safeText} from './text.js'
import {loadWidths} from './width.js'
import {wrap} from './wrap.js'

const indent = '  '
/** However narrow the terminal is, a value keeps this much room before the terminal itself breaks its line. */
const leastValue = 20

/** cli-table3 without its lines. */
const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}

/**
 * One object for people: its title, its fields as pairs of label and value, its sections, its notes, with an empty line
 * between them. `columns` are the fields to show; `whole` is false when the reader asked for certain fields, and then
 * they stand alone.
 */
export async function drawCard<T>(
  value: T,
  view: CardView<T>,
  columns: readonly Column<T>[],
  whole: boolean,
  context: ViewContext,
): Promise<string> {
  await loadWidths()
  if (!whole) return drawFields(value, columns, context)
  const fields = columns.filter(({name}) => name !== view.titleColumn)
  const title = `${context.style.bold(safeText(view.title(value)))}\n`
  const sections = (view.sections?.(value) ?? []).map((section) => drawSection(section, context))
  const notes = (view.notes?.(value, context) ?? []).map((note) => lines(safeText(note), context.columns).join(''))
  const parts = [title, await drawFields(value, fields, context), ...sections, notes.join('')]
  return parts.filter((part) => part !== '').join('\n')
}

async function drawFields<T>(value: T, columns: readonly Column<T>[], context: ViewContext): Promise<string> {
  const {default: Table} = await import('cli-table3')
  const labelWidth = columns.reduce((most, column) => Math.max(most, label(column).length), 0)
  const room = context.columns && Math.max(leastValue, context.columns - labelWidth - 2 * indent.length)
  const table = new Table({chars: noLines, style: {'padding-left': indent.length, 'padding-right': 0}})
  for (const column of columns) {
    const paint = (text: string) => column.paint?.(text, value, context.style) ?? text
    const text = cellText(column, value, context)
    const shown = room === undefined ? [text] : wrap(text, room)
    table.push([context.style.dim(label(column)), shown.map(paint).join('\n')])
  }
  return `${table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('')}`
}

/** `created_by` as `Created by`. */
function label<T>({label: given, name}: Column<T>): string {
  const words = given ?? name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function drawSection({heading, draw}: Section, context: ViewContext): string {
  const inner = context.columns === undefined ? context : {...context, columns: context.columns - indent.length}
  const body = draw(inner).trimEnd().split('\n')
  const indented = body.map((line) => `${indent}${line}\n`).join('')
  return `${context.style.bold(safeText(heading))}\n\n${indented}`
}

function lines(text: string, width: number | undefined): string[] {
  return (width === undefined ? [text] : wrap(text, width)).map((line) => `${line}\n`)
}
