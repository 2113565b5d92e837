import {build} from 'esbuild'
import {expect, test} from 'vitest'

/** What the files import at once, built-in modules aside; what they import when they need it is not among it. */
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
  return Object.values(metafile.outputs)
    .flatMap(({imports}) => imports)
    .filter(({kind, path, external}) => external && kind === 'import-statement' && !path.startsWith('node:'))
    .map(({path}) => path)
}

test('views load no package before they need it', async () => {
  const files = ['output', 'room', 'attendee', 'record', 'failure', 'time', 'style'].map(
    (name) => `src/view/${name}.ts`,
  )
  expect(await importedAtOnce(files)).toEqual([])
})

test('the terminal loads no package before it needs it', async () => {
  const files = ['ask', 'color', 'input', 'output'].map((name) => `src/terminal/${name}.ts`)
  expect(await importedAtOnce(files)).toEqual([])
})
