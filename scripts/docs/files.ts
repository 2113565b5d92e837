import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {generatedFolders, makePages} from './pages.js'

/**
 * Generates the pages from the contract and the manifest of the last build. With `check` it says which are stale and makes
 * the process end with 1.
 */
export async function refreshPages(root: string, {check}: {check: boolean}): Promise<void> {
  const pages = await makePages(root)
  const stale = stalePages(root, pages, generatedFolders)
  if (!check) {
    writePages(root, pages, generatedFolders)
    console.log(`${pages.size} pages, ${stale.length} of them changed`)
  } else if (stale.length > 0) {
    console.error(`stale, refresh them with npm run docs:\n${stale.map((file) => `  ${file}`).join('\n')}`)
    process.exitCode = 1
  }
}

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
