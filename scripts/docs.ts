import path from 'node:path'
import {stalePages, writePages} from './docs/files.js'
import {generatedFolders, makePages} from './docs/pages.js'

// Makes the generated pages from the contract and the manifest of the last build; with --check says which are stale.
const root = path.resolve(import.meta.dirname, '..')
const pages = await makePages(root)
const stale = stalePages(root, pages, generatedFolders)
if (!process.argv.includes('--check')) {
  writePages(root, pages, generatedFolders)
  console.log(`${pages.size} pages, ${stale.length} of them changed`)
} else if (stale.length > 0) {
  console.error(`stale, make them with npm run docs:\n${stale.map((file) => `  ${file}`).join('\n')}`)
  process.exitCode = 1
}
