import path from 'node:path'
import {pathToFileURL} from 'node:url'
import type {Operation} from '../../src/api/contract/operation.js'
import {operationById} from '../../src/api/contract/operations.js'
import type {DocumentedCommand} from './commands.js'
import {type Import, readImports} from './imports.js'

/** The operations of the commands that call them through the upload folder, and name none themselves. */
const composed: Readonly<Record<string, readonly string[]>> = {
  'asset download': ['asset.meta', 'asset.bytes'],
  'asset resume': ['asset.upload', 'asset.patch', 'asset.meta'],
  'asset sync': ['asset.list', 'asset.upload', 'asset.patch', 'asset.meta'],
  'asset upload': ['asset.list', 'asset.upload', 'asset.patch', 'asset.meta'],
}

/** The operations that a command's own file names, by the command's name, in the order in which it names them. */
export async function readCalls(
  root: string,
  commands: readonly DocumentedCommand[],
): Promise<ReadonlyMap<string, readonly Operation[]>> {
  const imports = readImports(root)
  const calls = new Map<string, readonly Operation[]>()
  for (const {name, source} of commands) {
    const others = (composed[name] ?? []).flatMap((id) => operationById(id) ?? [])
    calls.set(name, [...new Set([...(await operationsIn(root, imports, source)), ...others])])
  }
  return calls
}

async function operationsIn(root: string, imports: readonly Import[], file: string): Promise<Operation[]> {
  const found: Operation[] = []
  for (const {from, to, names} of imports) {
    if (from !== file || !to.startsWith('src/api/contract/')) continue
    const module: Record<string, unknown> = await import(pathToFileURL(path.join(root, to)).href)
    found.push(...names.flatMap((name) => operationOf(module[name])))
  }
  return found
}

/** The operation that an export is, if it is one. */
function operationOf(exported: unknown): Operation[] {
  const id = (exported as {id?: unknown} | undefined)?.id
  const operation = typeof id === 'string' ? operationById(id) : undefined
  return operation ? [operation] : []
}
