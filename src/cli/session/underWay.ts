import {type Exit, failureJson, failureWith} from '../../failure.js'
import {counted, safeText} from '../../text/text.js'
import {isMachineFormat, type Runtime} from '../runtime/runtime.js'

/** More changes are counted. */
const mostNamed = 5

/** How the second signal ends a command, in words. */
const endings: Readonly<Partial<Record<Exit, string>>> = {hungUp: 'the terminal was closed', terminated: 'terminated'}

/**
 * The changes that were sent and not answered. When the second signal ends the process, one write names them; the journal has them as
 * unknown.
 */
export function changesUnderWay({leaving, stderr, interruption}: Runtime, format: string): Set<() => string> {
  const changes = new Set<() => string>()
  const say = () => {
    if (changes.size === 0) return
    const exit = interruption() ?? 'interrupted'
    const named = [...changes].slice(0, mostNamed).map((describe) => safeText(describe()))
    const more = changes.size > mostNamed ? ` and ${changes.size - mostNamed} more` : ''
    const what = `${counted(changes.size, 'change')} may have been made: ${named.join(', ')}${more}`
    const message = `${endings[exit] ?? 'interrupted'}; ${what}`
    const advice = 'roomctl history --outcome unknown'
    const failure = failureWith(exit, message, {try: advice, outcome: 'unknown'})
    const text = isMachineFormat(format)
      ? JSON.stringify({error: failureJson(failure)})
      : `error: ${message}; see: ${advice}`
    // As far as the reader takes it, the text is out before the process exits.
    void stderr.write(`${text}\n`)
  }
  leaving.addEventListener('abort', say, {once: true})
  return changes
}
