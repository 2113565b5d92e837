import {capped, isCapped, safeText} from '../../text/text.js'
import {cut, displayWidth, loadWidths, wrap} from '../../text/width.js'
import {type CardView, type Column, cellText, type Section, type ViewContext} from './columns.js'

const indent = '  '
/** However narrow the terminal is, a value keeps this much room before the terminal itself breaks its line. */
const leastValue = 20
/** cli-table3 without its lines. */
const noLines = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((side) => [side, ...['mid', 'left', 'right'].map((other) => `${side}-${other}`)])
    .concat('middle')
    .map((name) => [name, '']),
)

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
  const parts = [title, await drawFields(value, fields, context), ...sections, notes.join('')]
  return parts.filter((part) => part !== '').join('\n')
}

async function drawFields<T>(value: T, columns: readonly Column<T>[], context: ViewContext): Promise<string> {
  const texts = columns.map((column) => cellText(column, value, context))
  const {fields, labelWidth, cutOff} = fieldsOf(value, columns, texts, context)
  if (cutOff.length > 0) context.note?.(`truncated: ${cutOff.join(', ')}; -o json shows all`)
  const drawn = context.columns === undefined ? besideEachOther(fields, labelWidth) : await laidOut(fields)
  return drawn.map((line) => `${line.trimEnd()}\n`).join('')
}

/** One row of a list as its fields: `texts` are its cells. */
export function drawBlock<T>(
  value: T,
  columns: readonly Column<T>[],
  texts: readonly string[],
  context: ViewContext,
): string {
  const {fields, labelWidth} = fieldsOf(value, columns, texts, context)
  return besideEachOther(fields, labelWidth)
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

/** The labels with their values, wrapped to the terminal; `cutOff` names those that were too long even so. */
function fieldsOf<T>(
  value: T,
  columns: readonly Column<T>[],
  texts: readonly string[],
  {columns: width, style}: ViewContext,
) {
  const labelWidth = columns.reduce((most, column) => Math.max(most, displayWidth(label(column))), 0)
  const room = width && Math.max(leastValue, width - labelWidth - 2 * indent.length)
  const cutOff: string[] = []
  const fields: Fields = columns.map((column, at) => {
    const text = texts[at] ?? ''
    const shown = column.id ? text : cutTo(text, room)
    if (shown !== text || isCapped(text)) cutOff.push(label(column).toLowerCase())
    const paint = (line: string) => column.paint?.(line, value, style) ?? line
    return [style.dim(label(column)), fittedLines(shown, room).map(paint)]
  })
  return {fields, labelWidth, cutOff}
}

type Fields = readonly (readonly [label: string, lines: readonly string[]])[]

/**
 * Of a terminal, where every line fits into it. Each line is a row of its own: for a cell of 24 lines cli-table3 takes a
 * second, for 24 rows of one line a few milliseconds.
 */
async function laidOut(fields: Fields): Promise<string[]> {
  const {default: Table} = await import('cli-table3')
  const table = new Table({chars: noLines, style: {'padding-left': indent.length, 'padding-right': 0}})
  for (const [name, lines] of fields) table.push(...lines.map((line, place) => [place === 0 ? name : '', line]))
  return table.toString().split('\n')
}

/** Of a pipe, where a value is whole: cli-table3 takes minutes for one of a hundred thousand letters. */
function besideEachOther(fields: Fields, labelWidth: number): string[] {
  return fields.flatMap(([name, [first = '', ...rest]]) => [
    `${indent}${name}${' '.repeat(labelWidth - displayWidth(name))}${indent}${first}`,
    ...rest.map((line) => `${indent}${' '.repeat(labelWidth)}${indent}${line}`),
  ])
}

/** `created_by` as `Created by`. */
function label<T>({label: given, name}: Column<T>): string {
  const words = given ?? name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function drawSection({heading, draw}: Section, context: ViewContext): string {
  const inner = context.columns === undefined ? context : {...context, columns: context.columns - indent.length}
  const body = draw(inner).trimEnd().split('\n')
  const indented = body.map((line) => `${indent}${line}`.trimEnd().concat('\n')).join('')
  return `${context.style.bold(safeText(heading))}\n\n${indented}`
}

/** On a terminal of that width as much as `mostLines` lines hold. */
function cutTo(text: string, width: number | undefined): string {
  return width === undefined ? capped(text) : cut(text, width * mostLines)
}

function fittedLines(text: string, width: number | undefined): string[] {
  return width === undefined ? [capped(text)] : wrap(text, width)
}
