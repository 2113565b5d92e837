import {capped, isCapped, safeText} from '../../text/text.js'
import {cut, displayWidth, pad, wrap} from '../../text/width.js'
import {type CardView, type Column, cellText, emptyCell, type Section, type ViewContext} from './columns.js'

const indent = '  '
/** The minimum width of a value, however narrow the terminal is. */
const leastValue = 20

/** Longer values are cut: they would push all others off the terminal. */
const mostLines = 24

/**
 * One object for people: title, fields, sections and notes, separated by empty lines. On a terminal very long values except
 * ids are cut, and a note names them. `whole` is false if the reader asked for certain fields (`columns`): then they are all
 * that is shown.
 */
export function drawCard<T>(
  value: T,
  view: CardView<T>,
  columns: readonly Column<T>[],
  whole: boolean,
  context: ViewContext,
): string {
  if (!whole) return drawFields(value, columns, context)
  if (view.lines) return view.lines(value, context).join('\n').concat('\n')
  const isShown = (column: Column<T>) => !column.ifKnown || cellText(column, value, context) !== emptyCell
  const fields = columns.filter((column) => column.name !== view.titleColumn && isShown(column))
  const title = `${context.style.bold(cutTo(safeText(view.title(value)), context.columns))}\n`
  const sections = (view.sections?.(value) ?? []).map((section) => drawSection(section, context))
  const notes = (view.notes?.(value, context) ?? []).map((note) =>
    fittedLines(safeText(note), context.columns).join('\n').concat('\n'),
  )
  const parts = [title, drawFields(value, fields, context), ...sections, notes.join('')]
  return parts.filter((part) => part !== '').join('\n')
}

function drawFields<T>(value: T, columns: readonly Column<T>[], context: ViewContext): string {
  const texts = columns.map((column) => cellText(column, value, context))
  const {text, cutOff} = fieldsText(value, columns, texts, context)
  if (cutOff.length > 0) context.note?.(`truncated: ${cutOff.join(', ')}; -o json shows all`)
  return text
}

/** The labels with their values beside them, wrapped to the terminal; `cutOff` names the fields that were cut nevertheless. */
export function fieldsText<T>(
  value: T,
  columns: readonly Column<T>[],
  texts: readonly string[],
  {columns: width, style}: ViewContext,
) {
  const labelWidth = columns.reduce((most, column) => Math.max(most, displayWidth(label(column))), 0)
  const room = width && Math.max(leastValue, width - labelWidth - 2 * indent.length)
  const cutOff: string[] = []
  const lines = columns.flatMap((column, at) => {
    const name = label(column)
    const text = texts[at] ?? ''
    const shown = column.id ? text : cutTo(text, room)
    if (shown !== text || isCapped(text)) cutOff.push(name.toLowerCase())
    return fittedLines(shown, room).map((line, place) => {
      const head = pad(place === 0 ? style.dim(name) : '', labelWidth)
      return `${indent}${head}${indent}${column.paint?.(line, value, style) ?? line}`.trimEnd()
    })
  })
  return {text: lines.map((line) => `${line}\n`).join(''), cutOff}
}

/** `created_by` as `Created by`. */
function label<T>({label: title, name}: Column<T>): string {
  const heading = title ?? name.replaceAll('_', ' ')
  return heading.charAt(0).toUpperCase() + heading.slice(1)
}

function drawSection({heading, draw}: Section, context: ViewContext): string {
  const inner = context.columns === undefined ? context : {...context, columns: context.columns - indent.length}
  const body = draw(inner).trimEnd().split('\n')
  const indented = body.map((line) => `${indent}${line}`.trimEnd().concat('\n')).join('')
  return heading === undefined ? indented : `${context.style.bold(safeText(heading))}\n\n${indented}`
}

function cutTo(text: string, width: number | undefined): string {
  return width === undefined ? capped(text) : cut(text, width * mostLines)
}

function fittedLines(text: string, width: number | undefined): string[] {
  return width === undefined ? [capped(text)] : wrap(text, width)
}
