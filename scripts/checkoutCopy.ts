import {spawnSync} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'

/** Copies tracked and new files, with uncommitted changes, to a new folder, and returns that folder. */
export function copyCheckout(root: string, purpose: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `roomctl-${purpose}-`))
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {cwd: root})
  const names = listed.stdout.toString().split('\0').filter(Boolean)
  for (const file of names.filter((name) => existsSync(path.join(root, name)))) {
    const target = path.join(folder, file)
    mkdirSync(path.dirname(target), {recursive: true})
    cpSync(path.join(root, file), target)
  }
  // Windows lets any user make a junction.
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  return folder
}
