import {readFileSync} from 'node:fs'
import path from 'node:path'
import {pathToFileURL} from 'node:url'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import type {Column} from '../../src/view/format/columns.js'
import type {DocumentedCommand} from './commands.js'
import {sourceFiles} from './imports.js'

/**
 * The folders whose code makes calls for a command. What makes every change is not followed: it reads a room for a requester, which a
 * page says by itself, or after a failure.
 */
const followed = /^src\/(?:commands|features(?!\/mutation)|upload|cli\/prompts|cli\/input)\//u

/** One file of ours: the texts of its declarations, and the names that it has from others. */
interface Source {
  readonly declarations: ReadonlyMap<string, string>
  readonly imported: ReadonlyMap<string, {readonly file: string; readonly name: string}>
}

/**
 * The operations that a command calls, by the command's name: those that its own code names, and the code of features and uploads that it
 * uses, declaration by declaration; in the order of the contract.
 */
export async function readCalls(
  root: string,
  commands: readonly DocumentedCommand[],
): Promise<ReadonlyMap<string, readonly Operation[]>> {
  const used = await readUses(root, commands, 'src/api/contract/')
  return new Map(
    [...used].map(([name, values]) => {
      const ids = values.map((value) => (value as {id?: unknown} | undefined)?.id)
      return [name, operations.filter(({id}) => ids.includes(id))]
    }),
  )
}

/** The columns of the views that a command uses, by the command's name. */
export async function readColumns(
  root: string,
  commands: readonly DocumentedCommand[],
): Promise<ReadonlyMap<string, readonly Column<never>[]>> {
  const used = await readUses(root, commands, 'src/view/')
  return new Map(
    [...used].map(([name, values]) => [
      name,
      values.flatMap((value) => (value as {columns?: readonly Column<never>[]} | undefined)?.columns ?? []),
    ]),
  )
}

/** The exported values of modules below a folder that a command's code reaches. */
async function readUses(
  root: string,
  commands: readonly DocumentedCommand[],
  folder: string,
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const used = new Map<string, readonly unknown[]>()
  for (const [name, uses] of readUsedNames(root, commands, folder)) {
    used.set(name, await Promise.all(uses.map((use) => exported(root, use))))
  }
  return used
}

/** The same as `FILE NAME`. */
export function readUsedNames(
  root: string,
  commands: readonly DocumentedCommand[],
  folder: string,
): ReadonlyMap<string, readonly string[]> {
  const files = sourceFiles(root).filter((file) => followed.test(file))
  const sources = new Map(files.map((file) => [file, readSource(file, readFileSync(path.join(root, file), 'utf8'))]))
  return new Map(
    commands.map(({name, source}) => [name, [...usesOf(sources, source)].filter((key) => key.startsWith(folder))]),
  )
}

/** The exports that the code of a file reaches, as `FILE NAME`. */
function usesOf(sources: ReadonlyMap<string, Source>, file: string): ReadonlySet<string> {
  const met = new Set<string>()
  const follow = (at: string, name: string): void => {
    const key = `${at} ${name}`
    if (met.has(key)) return
    met.add(key)
    const source = sources.get(at)
    for (const [word] of source?.declarations.get(name)?.matchAll(/[\w$]+/gu) ?? []) {
      const other = source?.imported.get(word)
      if (other) follow(other.file, other.name)
      else if (source?.declarations.has(word)) follow(at, word)
    }
  }
  for (const name of sources.get(file)?.declarations.keys() ?? []) follow(file, name)
  return met
}

const declaration =
  /^(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function\*? (\w+)[(<]|const (\w+)\b.*[=:]|class (\w+).*\{)/u
const importing = /^import (?!type)(?:\{([^}]*)\}|\* as (\w+)) from '(\.[^']+)'/gmu
const loading = /\{([^}]*)\}(?:, [^=]*)? = await import\('(\.[^']+)'\)/gu

function readSource(file: string, text: string): Source {
  const imported = new Map<string, {file: string; name: string}>()
  const add = (names: string, from: string) => {
    const there = path.posix.join(path.posix.dirname(file), from).replace(/\.js$/u, '.ts')
    for (const one of names.split(',').map((name) => name.trim())) {
      const [name = '', here = name] = one.split(/(?: as |: )/u)
      if (name !== '' && !name.startsWith('type ')) imported.set(here, {file: there, name})
    }
  }
  for (const [, names = '', whole, from = ''] of text.matchAll(importing)) add(whole ? `* as ${whole}` : names, from)
  for (const [, names = '', from = ''] of text.matchAll(loading)) add(names, from)
  // Each begins a line: the formatter sees to it.
  const declarations = new Map<string, string>()
  for (const part of text.split(
    /\n(?=(?:export|async|abstract|function|const|class|interface|type) [^\n]*[({=[]\s*)/u,
  )) {
    const name = declaration
      .exec(part)
      ?.slice(1)
      .find((one) => one !== undefined)
    if (name !== undefined)
      declarations.set(name, part.replace(/\/\*\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|typeof \w+|\w+\.id\b/gu, ''))
  }
  return {declarations, imported}
}

/** The value of `FILE NAME`. */
async function exported(root: string, use: string): Promise<unknown> {
  const [file = '', name = ''] = use.split(' ')
  const module: Record<string, unknown> = await import(pathToFileURL(path.join(root, file)).href)
  return module[name]
}
