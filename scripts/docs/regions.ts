/** Puts text between the two comments that carry its name, in a page that is written by hand. */
export function fillRegion(page: string, name: string, text: string): string {
  const begin = `<!-- ${name}: made by npm run docs -->`
  const end = `<!-- end of ${name} -->`
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the page has no place for ${name}: ${begin} … ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`
}
