import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'

/** The pages below `root` that are not as they should be: missing, different, or left in a folder of generated pages. */
export function stalePages(root: string, pages: ReadonlyMap<string, string>, folders: readonly string[]): string[] {
  const wrong = [...pages].filter(([file, text]) => textOf(path.join(root, file)) !== text).map(([file]) => file)
  return [...wrong, ...leftOver(root, pages, folders)]
}

/** Writes every page and removes those that are no longer made. */
export function writePages(root: string, pages: ReadonlyMap<string, string>, folders: readonly string[]): void {
  for (const file of leftOver(root, pages, folders)) rmSync(path.join(root, file))
  for (const [file, text] of pages) {
    mkdirSync(path.dirname(path.join(root, file)), {recursive: true})
    writeFileSync(path.join(root, file), text)
  }
}

function leftOver(root: string, pages: ReadonlyMap<string, string>, folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((file) => `${folder}/${file}`))
    .filter((file) => !pages.has(file))
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
