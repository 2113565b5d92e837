/** Commands that act the same under every profile. */
const withoutProfile = /^(?:config:profile|completion|explain|sandbox)/u

/**
 * The advice with `-p NAME` in each command line that it holds, so that what is typed as it stands acts where the failed command
 * did. `isCommand` knows the ids of commands (`room:delete`). Advice that names a profile itself stays as it is.
 */
export function forProfile(advice: string, profile: string, isCommand: (id: string) => boolean): string {
  if (/ -p /u.test(advice)) return advice
  return advice.replace(/\broomctl((?: [a-z]+(?:-[a-z]+)*)+)/gu, (whole, said: string) => {
    const words = said.trim().split(' ')
    const length = [3, 2, 1].find((count) => isCommand(words.slice(0, count).join(':')))
    if (length === undefined || withoutProfile.test(words.join(':'))) return whole
    return ['roomctl', ...words.slice(0, length), '-p', profile, ...words.slice(length)].join(' ')
  })
}
