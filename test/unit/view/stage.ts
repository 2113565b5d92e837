import {noStyle, type Style} from '../../../src/text/text.js'
import {timeStyle} from '../../../src/text/time.js'
import type {ViewContext} from '../../../src/view/format/columns.js'

/** A place to draw for: off a terminal, in the afternoon of 1 December 2026, unless told otherwise. */
export function place(about: Partial<ViewContext> = {}): ViewContext {
  return {
    style: noStyle,
    columns: undefined,
    plain: false,
    time: timeStyle({terminal: false, utc: false}),
    now: new Date('2026-12-01T12:00:00Z'),
    ...about,
  }
}

/** Colours as words, so that a test can read them. */
export const spoken: Style = {
  bold: (text) => `<bold>${text}</>`,
  dim: (text) => `<dim>${text}</>`,
  red: (text) => `<red>${text}</>`,
  green: (text) => `<green>${text}</>`,
  yellow: (text) => `<yellow>${text}</>`,
  cyan: (text) => `<cyan>${text}</>`,
}

export async function drawn(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}
