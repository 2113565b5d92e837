/** How many colours a stream shows: none, sixteen, 256, all. */
export type ColorLevel = 0 | 1 | 2 | 3

export interface ColorOptions {
  /** `--color`. */
  readonly flag?: 'auto' | 'always' | 'never' | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The colour level of one stream (product §2, the only place that decides it). The first that speaks wins: `--color`,
 * NO_COLOR (anything but empty), FORCE_COLOR (0 to 3, or true and false), CLICOLOR_FORCE, CLICOLOR=0, TERM=dumb, and
 * then whether the stream is a terminal.
 */
export function colorLevel(stream: {readonly isTTY?: boolean | undefined}, {flag, env}: ColorOptions): ColorLevel {
  if (flag === 'never') return 0
  if (flag === 'always') return shades(env)
  if (env.NO_COLOR) return 0
  const forced = env.FORCE_COLOR
  if (forced) return forcedLevel(forced, env)
  if (isOn(env.CLICOLOR_FORCE)) return shades(env)
  if (env.CLICOLOR === '0' || env.TERM === 'dumb') return 0
  return stream.isTTY ? shades(env) : 0
}

function forcedLevel(value: string, env: ColorOptions['env']): ColorLevel {
  if (value === '0' || value === 'false') return 0
  if (value === '1') return 1
  if (value === '2') return 2
  return value === '3' ? 3 : shades(env)
}

/** What the terminal says of itself; sixteen colours are there everywhere. */
function shades(env: ColorOptions['env']): 1 | 2 | 3 {
  const {COLORTERM: depth, TERM: term = ''} = env
  if (depth === 'truecolor' || depth === '24bit') return 3
  return term.includes('256color') ? 2 : 1
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0'
}

type Env = Readonly<Record<string, string | undefined>>

/** Whether a screen reader reads (ACCESSIBLE=1): nothing is drawn again, cut to a width, or said by a sign alone. */
export function isAccessible({ACCESSIBLE: value}: Env): boolean {
  return value !== undefined && value !== '' && value !== '0'
}

/** Whether nothing may be drawn again: for a screen reader, and on a terminal that cannot move its cursor. */
export function isPlain(env: Env): boolean {
  return env.TERM === 'dumb' || isAccessible(env)
}
