import type {ProfileFile} from './file.js'
import {DamagedProfile} from './problem.js'
import {readProfileFile} from './read.js'

/**
 * Reads the profile file as `readProfileFile` does, and where it is damaged keeps the damaged bytes, puts the last good copy
 * back and raises a ProfileProblem of kind `configuration` that says all of it. What that takes is loaded only then.
 */
export async function openProfileFile(configDir: string): Promise<ProfileFile> {
  try {
    return readProfileFile(configDir)
  } catch (error) {
    if (!(error instanceof DamagedProfile)) throw error
    const {repairProfileFile} = await import('./repair.js')
    return repairProfileFile(configDir)
  }
}
