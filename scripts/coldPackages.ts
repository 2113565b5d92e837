/** A package that only some commands need, bundled into a file of its own. */
export interface ColdPackage {
  readonly name: string
  /**
   * What of the package `import()` has to give as `default`. esbuild takes the importers of a package of type
   * "module" for Node's ES modules, where the default is the whole of a CommonJS file; so a file whose package is an
   * ES module with a default export has to export that alone.
   */
  readonly exported: '' | '.default'
}

export const coldPackages: readonly ColdPackage[] = [
  {name: '@inquirer/prompts', exported: ''},
  {name: '@jmespath-community/jmespath', exported: ''},
  {name: 'cli-table3', exported: ''},
  {name: 'conf', exported: '.default'},
  {name: 'csv-stringify', exported: ''},
  {name: 'csv-stringify/sync', exported: ''},
  {name: 'proper-lockfile', exported: ''},
  {name: 're2js', exported: ''},
  {name: 'undici', exported: ''},
  {name: 'yaml', exported: ''},
]

/** The file of a cold package, seen from dist/. */
export function coldFile(name: string): string {
  return `cold/${name.replace(/^@/, '').replaceAll('/', '-')}.cjs`
}
