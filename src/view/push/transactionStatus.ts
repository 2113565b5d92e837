import type {Style} from '../../text/style.js'

/** The document shows SUCCESS and no other status (push, Transaction record); these words say that it went wrong. */
const failure =
  /fail|error|invalid|reject|denied|expired|un(?:regist|deliver|reach|know)|not[ _-]?(?:found|registered|delivered)/iu

/** Whether the status of a transaction says that the push did not get there. */
export function hasFailed(status: string | null | undefined): boolean {
  return typeof status === 'string' && failure.test(status)
}

/** Red where the status tells of a failure, green for a success; the word itself says the same. */
export function paintStatus(text: string, status: string | null | undefined, style: Style): string {
  if (hasFailed(status)) return style.red(text)
  return status === 'SUCCESS' ? style.green(text) : text
}
