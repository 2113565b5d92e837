import {readdirSync} from 'node:fs'
import {build} from 'esbuild'
import {expect, test} from 'vitest'

/** The packages that the files import at once, without those imported on demand. */
async function importedAtOnce(entryPoints: string[]): Promise<string[]> {
  const {metafile} = await build({
    entryPoints,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'out',
    write: false,
    metafile: true,
  })
  return (
    Object.values(metafile.outputs)
      .flatMap(({imports}) => imports)
      .filter(({kind, path, external}) => external && kind === 'import-statement' && !path.startsWith('node:'))
      .map(({path}) => path)
      // The contract, whose field names a list of rooms shows, is loaded by every command that lists them.
      .filter((path) => path !== 'zod/mini')
  )
}

test('views, texts and the terminal load no package before they need it', async () => {
  const files = ['view', 'text', 'terminal'].flatMap((folder) =>
    readdirSync(`src/${folder}`, {recursive: true, encoding: 'utf8'}).map((file) => `src/${folder}/${file}`),
  )
  // A few lines for every spelling mistake, and for the widths of every table.
  const imported = await importedAtOnce(files.filter((file) => file.endsWith('.ts')))
  expect(imported.sort()).toEqual(['fast-string-width', 'fastest-levenshtein'])
})
