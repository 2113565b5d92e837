import {services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import {parseRoute} from '../../api/http/route/route.js'
import {readTextInput} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, withFacts, wrongUsage} from '../../failure.js'
import {DamagedDocument} from '../../storage/document.js'
import {type Profile, type ProfileFile, routeTextOf, sandboxName} from '../../storage/profile/file.js'
import {safeText} from '../../text/text.js'
import {readYaml, YamlFault, type YamlText} from '../../text/yaml.js'

/** Changes the profile file; what writes it is loaded only here. Throws Failure. */
export async function editProfileFile(session: Session, change: (file: ProfileFile) => ProfileFile): Promise<void> {
  const {changeProfileFile} = await import('../../storage/profile/write.js')
  await changeProfileFile(session.paths.config, change)
}

/** The name of the profile that is edited. Throws Failure (usage): the sandbox has no settings. */
export function editableProfile({resolved}: Session): string {
  if (!resolved.isSandbox) return resolved.name
  throw wrongUsage(`profile ${sandboxName} is built in and has no settings`, {try: 'name another profile with -p NAME'})
}

export function checkAddresses(settings: Readonly<Record<string, unknown>>, allowHttp: boolean): void {
  for (const service of services) {
    const address = settings[`${service}.url`]
    if (typeof address === 'string') checkAddress(address, {allowHttp})
  }
}

/** Checks the form of the routes of a profile that is handed on. Throws Failure (usage). */
export function assertRouteForms({routes = {}}: Profile): void {
  for (const [id, route] of Object.entries(routes)) {
    try {
      parseRoute(routeTextOf(route))
    } catch (error) {
      throw withFacts(error, ({message}) => ({message: `the route of ${id} cannot be used: ${message}`}))
    }
  }
}

/**
 * Reads a file that brings a profile or routes, `-` for stdin: YAML 1.2, which includes JSON; a repeated name is an error in both. What
 * `take` throws about its form becomes a Failure, too. Throws Failure: file, or usage with the line if there is one.
 */
export async function readTransfer<T>(
  session: Session,
  path: string,
  advice: string,
  take: (text: YamlText, refuse: (what: string, facts?: Partial<Failure['facts']>) => Failure) => T,
): Promise<T> {
  const refuse = (what: string, facts: Partial<Failure['facts']> = {}) =>
    wrongUsage(`cannot import ${safeText(path)}: ${what}`, {try: advice, ...facts})
  const text = await readTextInput(session, path)
  try {
    return take(await readYaml(text), refuse)
  } catch (error) {
    if (error instanceof YamlFault) throw refuse(safeText(error.message))
    throw error instanceof DamagedDocument ? refuse(`it ${error.message}`) : error
  }
}
