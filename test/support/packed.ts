import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {type Packed, pack} from '../../scripts/pack.js'
import {numberedFolder} from './folder.js'
import {root} from './repository.js'

/** The package of the build, packed by the first test that needs it. */
export function packed(): Packed {
  const folder = path.join(tmpdir(), 'packed')
  if (!existsSync(folder)) {
    const own = numberedFolder(path.join(tmpdir(), 'packing-'))
    writeFileSync(path.join(own, 'packed.json'), JSON.stringify(pack(root, own)))
    try {
      renameSync(own, folder)
    } catch {
      // Another worker was first.
    }
  }
  const made: Packed = JSON.parse(readFileSync(path.join(folder, 'packed.json'), 'utf8'))
  return {...made, tarball: path.join(folder, path.basename(made.tarball))}
}
