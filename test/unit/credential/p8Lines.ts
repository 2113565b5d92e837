/** A .p8 key in PEM in every arrangement of lines that Apple's service does not take: its description, its text, and the finding. */
export function keyInOtherLines(good: string): readonly (readonly [string, string, string])[] {
  const lines = good.trimEnd().split('\n')
  const [first = '', ...others] = lines
  const last = others.pop() ?? ''
  return [
    ['one line', good.replaceAll('\n', ''), 'one-line'],
    ['one line with blanks', good.replaceAll('\n', ' '), 'one-line'],
    ['line ends of old Macs', good.replaceAll('\n', '\r'), 'one-line'],
    ['the end on the last line', [first, others.join('\n') + last].join('\n'), 'one-line'],
    ['indented', good.replaceAll(/^(?=.)/gm, '  '), 'indented'],
    ['only the base64 indented', [first, ...others.map((line) => `\t${line}`), last].join('\n'), 'indented'],
    ['only the end indented', [first, ...others, ` ${last}`].join('\n'), 'indented'],
    ['an empty line within', [first, '', ...others, last].join('\n'), 'base64-lines'],
    ['a blank within a line', good.replace('MIG', 'M IG'), 'base64-lines'],
  ]
}
