import {version} from 'node:process'
import type {Runtime} from '../../../cli/runtime/runtime.js'
import {currentUser} from '../../../storage/disk/privateFile.js'
import {places} from '../../../storage/profile/places.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {checkCodeCache} from './codeCache.js'
import {checkCompletion} from './completion.js'
import {checkEnvironment} from './environment.js'
import {checkFiles} from './files.js'
import {checkNode} from './node.js'
import {lookAtProfile} from './profileFile.js'
import {checkStorage} from './storage.js'

/**
 * Checks what lies on this machine, before anything is opened: opening tightens a loose mode and repairs a damaged profile, which
 * could then not be told. `file` is the profile file as it was found.
 */
export function checkMachine({env, home, platform, now}: Runtime) {
  const {config, state, cache} = places(env, home, platform)
  const user = currentUser()
  const {file, found: profile} = lookAtProfile(config)
  const found: Diagnosis[] = [
    profile,
    ...checkFiles({config, state}, user),
    checkNode(version, now()),
    ...checkEnvironment(env),
    checkStorage(state),
    checkCodeCache({env, folder: cache}, version, user),
    ...checkCompletion({env, home, platform}),
  ]
  return {file, found}
}
