/** None, 16, 256, all colours. */
export type ColorLevel = 0 | 1 | 2 | 3

export interface ColorOptions {
  readonly flag?: 'auto' | 'always' | 'never' | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The colour level of a stream. The first one set wins: `--color`, NO_COLOR (not empty), FORCE_COLOR (0 to 3, true, false),
 * CLICOLOR_FORCE, CLICOLOR=0, TERM=dumb, and then whether the stream is a terminal (product §2).
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

function shades(env: ColorOptions['env']): 1 | 2 | 3 {
  const {COLORTERM: depth, TERM: term = ''} = env
  if (depth === 'truecolor' || depth === '24bit') return 3
  return term.includes('256color') ? 2 : 1
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0'
}

type Env = Readonly<Record<string, string | undefined>>

/** For a screen reader (ACCESSIBLE=1): no repainting, no truncation, words instead of symbols. */
export function isAccessible({ACCESSIBLE: value}: Env): boolean {
  return value !== undefined && value !== '' && value !== '0'
}

/** Whether nothing may be repainted: for a screen reader, and without cursor control. */
export function isPlain(env: Env): boolean {
  return env.TERM === 'dumb' || isAccessible(env)
}
