import {shellWord} from '../../text/text.js'

/** A call's values by their document names. */
export type Values = Readonly<Record<string, unknown>>

/** More names of a list than this make a sentence unreadable. */
const namesShown = 5

/** Puts a call's values into a text of the contract: `{roomId}`. Of a long list the first few; a value that is not known is named. */
export function fillText(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words(values[name]) ?? placeholder(name))
}

/** As `fillText`, for command lines to be typed: values that a shell would take apart or carry out are quoted. */
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
