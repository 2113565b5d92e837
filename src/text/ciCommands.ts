/**
 * What the runner of a CI system takes for a command within its log: `::` at the start of a line (GitHub Actions), and `##[`, `##vso[` or
 * `##teamcity[` anywhere. Runners skip white space, U+0085 too, which `\s` leaves out.
 */
const commands = /:(?=:)(?<=^[\s\u0085]*:)|#(?=#\w*\[)/gmu

/** In the escape of JSON and of double quotes in YAML: these keep their values. Other text shows the escape. */
export function withoutCiCommands(text: string): string {
  return text.replace(commands, (character) => (character === ':' ? '\\u003a' : '\\u0023'))
}

/** Whether a text needs quotes in YAML to be escaped. */
export function hasCiCommand(text: string): boolean {
  return text.search(commands) >= 0
}
