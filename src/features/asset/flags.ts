import {requiredArg} from '../../cli/flags/flags.js'
import type {Session} from '../../cli/session/session.js'
import {containerOf, type ResourcePlace, resourceOf} from './assetPath.js'

export const containerArg = requiredArg('CONTAINER', 'path of a container, games/foo, or its uri')
export const resourceArg = requiredArg('CONTAINER/UUID', 'path or uri of a resource: its container and its uuid')

/** The container that an argument names, as `containerOf` reads it. Raises a Failure (usage, configuration). */
export async function containerNamed({api}: Session, text: string): Promise<string> {
  return containerOf(text, (await api.access('asset')).base)
}

/** The resource that an argument names, as `resourceOf` reads it. Raises a Failure (usage, configuration). */
export async function resourceNamed({api}: Session, text: string): Promise<ResourcePlace> {
  return resourceOf(text, (await api.access('asset')).base)
}

/** The address of the asset service. Raises a Failure (configuration) where there is none. */
export async function serviceBase({api}: Session): Promise<URL> {
  return (await api.access('asset')).base
}
