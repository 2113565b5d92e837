import {expect} from 'vitest'
import {freshPlace, type Place, type Ran} from '../stories/place.js'
import {credentialRoutes} from '../support/credentialRoutes.js'
import {keptBelow} from '../support/kept.js'
import {finder, inputs, tokens} from './canaries.js'

/** A home whose environment names the services below an address, their tokens and the folder of the secrets (IN). */
export function placeAt(url: string, env: Readonly<Record<string, string>> = {}): Place {
  return freshPlace({
    ROOMCTL_ROOM_URL: `${url}/media`,
    ROOMCTL_ASSET_URL: `${url}/asset`,
    ROOMCTL_PUSH_URL: `${url}/push`,
    ...credentialRoutes,
    ROOMCTL_ROOM_TOKEN: tokens.room,
    ROOMCTL_ASSET_TOKEN: tokens.asset,
    ROOMCTL_PUSH_TOKEN: tokens.push,
    ROOMCTL_APPLICATION_ID: 'app-1',
    ROOMCTL_RETRIES: '0',
    IN: inputs,
    ...env,
  })
}

/** That no secret was printed, and that no file that was left behind holds one. */
export function expectNone({stdout, stderr}: Pick<Ran, 'stdout' | 'stderr'>, {dir}: Place): void {
  expect(finder.find(stdout), 'stdout').toEqual([])
  expect(finder.find(stderr), 'stderr').toEqual([])
  for (const {name, text} of keptBelow(dir)) expect(finder.find(text), name).toEqual([])
}
