type Env = Readonly<Record<string, string | undefined>>

/** Whether a screen reader reads (ACCESSIBLE=1): nothing is drawn again, cut to a width, or said by a sign alone. */
export function isAccessible({ACCESSIBLE: value}: Env): boolean {
  return value !== undefined && value !== '' && value !== '0'
}

/** Whether nothing may be drawn again: for a screen reader, and on a terminal that cannot move its cursor. */
export function isPlain(env: Env): boolean {
  return env.TERM === 'dumb' || isAccessible(env)
}
