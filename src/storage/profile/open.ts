import type {ProfileFile} from './file.js'
import {DamagedProfile} from './problem.js'
import {readProfileFile} from './read.js'

/** Reads the profile file; a damaged one is repaired, which raises a ProfileProblem (configuration) and is loaded only then. */
export async function openProfileFile(configDir: string): Promise<ProfileFile> {
  try {
    return readProfileFile(configDir)
  } catch (error) {
    if (!(error instanceof DamagedProfile)) throw error
    const {repairProfileFile} = await import('./repair.js')
    return repairProfileFile(configDir)
  }
}
