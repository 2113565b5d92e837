import type {Metafile} from 'esbuild'

/** The folders of the packages with bytes in the outputs: `node_modules/@a/b`. */
export function bundledFolders(metafiles: readonly Metafile[]): string[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs))
  const files = outputs.flatMap(({inputs}) => Object.keys(inputs).filter((file) => inputs[file]?.bytesInOutput))
  return [...new Set(files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))]
}
