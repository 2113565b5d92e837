import {readImports} from './imports.js'
import {block} from './markdown.js'

/** The folders of src and what each imports, as a Mermaid graph: read from the imports that are there. */
export function folderGraph(root: string): string {
  const edges = new Set<string>()
  for (const {from, to} of readImports(root)) {
    const [importer, imported] = [folderOf(from), folderOf(to)]
    if (importer !== imported) edges.add(`  ${importer} --> ${imported}`)
  }
  return block('mermaid', ['graph TD', ...[...edges].sort()].join('\n'))
}

/** `cli` for `src/cli/app/run.ts`, the file itself for `src/main.ts`. */
function folderOf(file: string): string {
  const [, folder = ''] = file.split('/')
  return folder.replace(/\.ts$/u, '')
}
