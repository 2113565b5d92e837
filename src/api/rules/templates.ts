import {shellWord} from '../../text/text.js'

export type Values = Readonly<Record<string, unknown>>

/** More names make a sentence unreadable. */
const namesShown = 5

/** Fills a call's values into a text of the contract: `{roomId}`. Of a long list the first few; an unknown value is named. */
export function fillText(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words(values[name]) ?? placeholder(name))
}

/** As `fillText`, for command lines: values are quoted for a shell. */
export function fillAdvice(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = words(values[name])
    return value === undefined ? placeholder(name) : shellWord(value)
  })
}

function words(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) return String(value)
  const more = value.length - namesShown
  return more > 1 ? `${value.slice(0, namesShown).join(', ')} and ${more} more` : value.join(', ')
}

/** `{roomId}` and `{user_id}` as the help names them: ROOM, USER. */
function placeholder(name: string): string {
  return name.replace(/_?[iI]d$/, '').toUpperCase()
}
