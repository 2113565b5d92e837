import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {freshFolder} from '../../support/folder.js'

/** A fresh folder with these files, by their paths below it; gone after the tests of the file. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = freshFolder()
  put(folder, files)
  return folder
}

export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), {recursive: true})
    writeFileSync(path.join(folder, name), content)
  }
}
