import type {Service} from '../../api/contract/operation.js'
import {tokenVariable} from '../../storage/profile/environment.js'

/**
 * The advice with the variable in place of `roomctl config login SERVICE` where the environment holds the token of that service
 * (`envToken` gives it): what is stored would not be used.
 */
export function forEnvironment(advice: string, envToken: (service: Service) => string | undefined): string {
  return advice.replace(/\broomctl config login (room|asset|push)\b/gu, (login, service: Service) =>
    envToken(service) === undefined ? login : `set ${tokenVariable(service)} to a new token`,
  )
}
