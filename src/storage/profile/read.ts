import {currentUser, type User} from '../disk/privateFile.js'
import {emptyFile, type ProfileFile, profilePath, readBytes} from './file.js'
import {keepConfigFolder, readConfigFile} from './private.js'
import {DamagedProfile, ProfileProblem} from './problem.js'

/**
 * Reads the profile file of a config folder; a file without profiles where there is none yet, and nothing is created.
 * Every command does this, so it is one read and one check and loads nothing to write with. Looser modes than 0600 and 0700
 * are tightened. Raises a DamagedProfile where the content is not what it must be (`openProfileFile` puts that right) and
 * a ProfileProblem of kind `configuration` where the file cannot be used. `user` is whose file it must be.
 */
export function readProfileFile(configDir: string, user: User = currentUser()): ProfileFile {
  const path = profilePath(configDir)
  const bytes = keepConfigFolder(configDir, user) ? readConfigFile(path, user) : undefined
  if (bytes === undefined) return emptyFile()
  const reading = readBytes(bytes)
  if (reading.state === 'whole') return reading.file
  if (reading.state === 'newer') throw writtenByNewer(path, reading.version)
  throw new DamagedProfile(path)
}

function writtenByNewer(path: string, version: number): ProfileProblem {
  return new ProfileProblem('configuration', `the profile file ${path} was written by a newer roomctl`, {
    why: `it has version ${version}, this roomctl knows version 1`,
    advice: 'update roomctl, or set ROOMCTL_CONFIG_DIR to another folder',
  })
}
