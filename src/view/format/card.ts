import {capped, isCapped, safeText} from '../../text/text.js'
import {cut, displayWidth, wrap} from '../../text/width.js'
import {type CardView, type Column, cellText, emptyCell, type Section, type ViewContext} from './columns.js'

const indent = '  '
/** The minimum width of a value, however narrow the terminal is. */
const leastValue = 20
/** Draws no lines. */
const noLines = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((side) => [side, ...['mid', 'left', 'right'].map((other) => `${side}-${other}`)])
    .concat('middle')
    .map((name) => [name, '']),
)

/** Longer values are cut: they would push all others off the terminal. */
const mostLines = 24

/**
 * One object for people: title, fields, sections and notes, separated by empty lines. On a terminal very long values except
 * ids are cut, and a note names them. `whole` is false if the reader asked for certain fields (`columns`): then they are all
 * that is shown.
 */
export async function drawCard<T>(
  value: T,
  view: CardView<T>,
  columns: readonly Column<T>[],
  whole: boolean,
  context: ViewContext,
): Promise<string> {
  if (!whole) return drawFields(value, columns, context)
  if (view.lines) return view.lines(value, context).join('\n').concat('\n')
  const isShown = (column: Column<T>) => !column.ifKnown || cellText(column, value, context) !== emptyCell
  const fields = columns.filter((column) => column.name !== view.titleColumn && isShown(column))
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

/** The labels with their values, wrapped to the terminal; `cutOff` names the fields that were cut nevertheless. */
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
 * For a terminal, to which the lines are wrapped already. Each line is a row: a cell of 24 lines takes cli-table3 a second, 24
 * rows a few milliseconds.
 */
async function laidOut(fields: Fields): Promise<string[]> {
  const {default: Table} = await import('cli-table3')
  const table = new Table({chars: noLines, style: {'padding-left': indent.length, 'padding-right': 0}})
  for (const [name, lines] of fields) table.push(...lines.map((line, place) => [place === 0 ? name : '', line]))
  return table.toString().split('\n')
}

/** For a pipe, where values are whole: a value of 100,000 letters takes cli-table3 minutes. */
function besideEachOther(fields: Fields, labelWidth: number): string[] {
  return fields.flatMap(([name, [first = '', ...rest]]) => [
    `${indent}${name}${' '.repeat(labelWidth - displayWidth(name))}${indent}${first}`,
    ...rest.map((line) => `${indent}${' '.repeat(labelWidth)}${indent}${line}`),
  ])
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
