import type * as Core from '@inquirer/core'
import type {Choice} from './questions.js'

export interface PickerOptions<T> {
  readonly message: string
  readonly choices: readonly Choice<T>[]
  readonly several: boolean
}

interface PickerState<T> {
  readonly filter: string
  readonly active: number
  readonly marked: readonly Choice<T>[]
  readonly isDone?: boolean
}

const mostRows = 15
const rowsAround = 4

/**
 * A prompt of inquirer's: a list filtered by typing, where each word is part of the name. With several, Space selects, and Enter
 * takes the selection or else the current line. `core` is imported on first use.
 */
export function picker<T>(core: typeof Core, options: PickerOptions<T>, rows: number) {
  const {choices, several} = options
  const {style} = core.makeTheme({})
  const pageSize = Math.max(3, Math.min(mostRows, rows - rowsAround))
  return core.createPrompt<readonly T[], undefined>((_, done) => {
    const [state, setState] = core.useState<PickerState<T>>({filter: '', active: 0, marked: []})
    const prefix = core.usePrefix({status: state.isDone ? 'done' : 'idle'})
    const shown = choices.filter(({name, always}) => always || matches(name, state.filter))
    core.useKeypress((key, line) => {
      const next = keyPressed(state, shown, {
        typed: line.line,
        key: {
          enter: core.isEnterKey(key),
          up: core.isUpKey(key),
          down: core.isDownKey(key),
          mark: several && core.isSpaceKey(key),
        },
      })
      // readline has cleared the line on Enter, and inserted the space.
      if (line.line !== next.filter) {
        line.clearLine(0)
        line.write(next.filter)
      }
      setState(next)
      if (!next.isDone) return
      const chosen = choices.filter((choice) => next.marked.includes(choice))
      done(chosen.map(({value, fromFilter}) => (next.filter && fromFilter ? fromFilter(next.filter) : value)))
    })
    const page = core.usePagination({
      items: shown,
      active: state.active,
      pageSize,
      loop: false,
      renderItem: ({item, isActive}) => {
        const mark = state.marked.includes(item) ? '[x] ' : '[ ] '
        const text = `${isActive ? '>' : ' '} ${several ? mark : ''}${item.name}`
        return isActive ? style.highlight(text) : text
      },
    })
    const head = `${prefix} ${style.message(options.message, state.isDone ? 'done' : 'idle')}`
    if (state.isDone) return `${head} ${style.answer(state.marked.map(({short, name}) => short ?? name).join(', '))}`
    const keys = `${several ? 'space select \u00b7 ' : ''}\u2191\u2193 move \u00b7 enter confirm \u00b7 esc cancel`
    return [`${head} ${style.help(countOf(options, state, shown))} ${state.filter}`, `${page}\n${style.help(keys)}`]
  })
}

interface PickerKey {
  readonly typed: string
  readonly key: Readonly<Record<'enter' | 'up' | 'down' | 'mark', boolean>>
}

function keyPressed<T>(state: PickerState<T>, shown: readonly Choice<T>[], {typed, key}: PickerKey): PickerState<T> {
  const {active, marked} = state
  const current = shown[active]
  if (key.up) return {...state, active: Math.max(0, active - 1)}
  if (key.down) return {...state, active: Math.min(shown.length - 1, active + 1)}
  if (key.mark) return current ? {...state, marked: toggled(marked, current)} : state
  if (!key.enter) return typed === state.filter ? state : {...state, filter: typed, active: 0}
  if (marked.length > 0) return {...state, isDone: true}
  return current ? {...state, marked: [current], isDone: true} : state
}

function toggled<T>(marked: readonly T[], value: T): readonly T[] {
  return marked.includes(value) ? marked.filter((other) => other !== value) : [...marked, value]
}

function countOf<T>(
  {choices}: PickerOptions<T>,
  {filter, marked}: PickerState<T>,
  shown: readonly Choice<T>[],
): string {
  const count = filter === '' ? `${choices.length}; type to filter` : `${shown.length} of ${choices.length}`
  return marked.length > 0 ? `(${count}; ${marked.length} selected)` : `(${count})`
}

function matches(name: string, filter: string): boolean {
  const words = filter.toLowerCase().split(' ')
  return words.every((word) => name.toLowerCase().includes(word))
}
