import type {CredentialService} from './file.js'

export type Env = Readonly<Record<string, string | undefined>>

/** The value of an environment variable; an empty one counts as unset. */
export function envValue(env: Env, name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}

/** The variable that carries a service's token (product §10). */
export function tokenVariable(service: CredentialService): string {
  return `ROOMCTL_${service.toUpperCase()}_TOKEN`
}

/** The variable that sets an operation's route: `push.iosKey` becomes `ROOMCTL_ROUTE_PUSH_IOS_KEY` (product §10). */
export function routeVariable(operationId: string): string {
  const spaced = operationId.replace('.', '_').replace(/[A-Z]/g, (capital) => `_${capital}`)
  return `ROOMCTL_ROUTE_${spaced.toUpperCase()}`
}
