import {capped, isCapped, safeText} from '../../text/text.js'
import {cut, displayWidth, loadWidths, wrap} from '../../text/width.js'
import {type CardView, type Column, cellText, type Section, type ViewContext} from './columns.js'

const indent = '  '
/** However narrow the terminal is, a value keeps this much room before the terminal itself breaks its line. */
const leastValue = 20
/** A value of more lines than this would push all others off the terminal. */
const mostLines = 24

/**
 * One object for people: its title, its fields as pairs of label and value, its sections, its notes, with an empty line
 * between them. On a terminal a value that is very long is cut, unless it is an id, and a note says so. `columns` are the
 * fields to show; `whole` is false when the reader asked for certain fields, and then they stand alone.
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
  const {text, cutOff} = fieldLines(value, columns, texts, context)
  if (cutOff.length > 0) context.note?.(`truncated: ${cutOff.join(', ')}; -o json shows all`)
  return text
}

/**
 * The labels with their values beside them, wrapped to the terminal: `texts` are the cells. `cutOff` names those that were too long
 * even so.
 */
export function fieldLines<T>(
  value: T,
  columns: readonly Column<T>[],
  texts: readonly string[],
  {columns: width, style}: ViewContext,
) {
  const labelWidth = columns.reduce((most, column) => Math.max(most, displayWidth(label(column))), 0)
  const room = width && Math.max(leastValue, width - labelWidth - 2 * indent.length)
  const cutOff: string[] = []
  const lines = columns.flatMap((column, at) => {
    const [name, text] = [label(column), texts[at] ?? '']
    const shown = column.id ? text : cutTo(text, room)
    if (shown !== text || isCapped(text)) cutOff.push(name.toLowerCase())
    return fittedLines(shown, room).map((line, place) => {
      const head = place === 0 ? style.dim(name) : ''
      const padding = ' '.repeat(labelWidth - (place === 0 ? displayWidth(name) : 0))
      return `${indent}${head}${padding}${indent}${column.paint?.(line, value, style) ?? line}`.trimEnd()
    })
  })
  return {text: lines.map((line) => `${line}\n`).join(''), cutOff}
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

/** On a terminal of that width as much as `mostLines` lines hold. */
function cutTo(text: string, width: number | undefined): string {
  return width === undefined ? capped(text) : cut(text, width * mostLines)
}

function fittedLines(text: string, width: number | undefined): string[] {
  return width === undefined ? [capped(text)] : wrap(text, width)
}
