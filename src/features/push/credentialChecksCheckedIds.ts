import {Failure} from '../../api/contract/failure.js'

/** Something that a check found about the value of a flag. */
interface Found {
  readonly message: string
  readonly try?: string
}

/** Refuses the value of a flag in which a check of its form found something. Raises a Failure (usage) that names the flag. */
export function checkedFlag(flag: string, text: string | undefined, check: (text: string) => readonly Found[]): void {
  const [found] = text === undefined ? [] : check(text)
  if (!found) return
  throw new Failure({
    exit: 'usage',
    message: `--${flag} ${text} cannot be used: ${found.message}`,
    try: found.try,
  })
}
