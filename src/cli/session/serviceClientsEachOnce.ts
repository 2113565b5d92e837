/** Says each text once: what is unusual about one of many calls is so about all of them. */
export function warnOnce(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>()
  return (text) => {
    if (!said.has(text)) say(text)
    said.add(text)
  }
}
