type Paint = (text: string) => string

/** A view names a meaning, the reader's terminal decides the shade. */
export interface Style {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

const same: Paint = (text) => text

export const noStyle: Style = {bold: same, dim: same, red: same, green: same, yellow: same, cyan: same}

/**
 * The style for a colour level (terminal/color: 0 none, 1 sixteen colours, 2 256, 3 all). chalk gets the level, because it ignores
 * NO_COLOR.
 */
export function styleOf(level: 0 | 1 | 2 | 3): Promise<Style> | Style {
  return level === 0 ? noStyle : coloured(level)
}

async function coloured(level: 1 | 2 | 3): Promise<Style> {
  const {Chalk} = await import('chalk')
  return new Chalk({level})
}
