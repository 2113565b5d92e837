import {lstat, stat} from 'node:fs/promises'
import path from 'node:path'
import {manifestNames} from '../../api/contract/manifest.js'
import {type Failure, fileFailure, unlessFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'
import {originalFileName} from '../files/headers.js'
import type {ListedFile} from '../model/job.js'
import {type FlagValues, findManifest} from './fileList.js'
import type {IsExcluded} from './ignoreRules.js'
import {scanFolder} from './scan.js'

export interface InitFacts extends FlagValues {
  readonly container?: string | undefined
  readonly overwrite: boolean
  readonly except?: readonly string[]
  readonly isExcluded?: IsExcluded | undefined
}

/** Writes the manifest of a folder, to be completed by a person. Throws Failure (file) if there is one, unless `overwrite`, or no file. */
export async function initManifest(folder: string, facts: InitFacts) {
  const file = path.join(folder, manifestNames[0])
  await assertFree(folder, file, facts.overwrite)
  const found = await scanFolder(folder, [...(facts.except ?? []), path.resolve(file)], facts.isExcluded)
  const files = found.files.filter(({name}) => isSendable(name))
  const nameless = found.files.filter(({name}) => !isSendable(name)).map(({key}) => key)
  const unsaid = nameless.length === 0 ? [] : [`ignored files without an extension: ${nameless.join(', ')}`]
  if (files.length === 0) throw initFailure(folder, 'there is nothing in it that can be uploaded')
  const text = await manifestText(files, facts)
  write(folder, file, text)
  return {file, files: files.length, notes: [...found.notes, ...unsaid]}
}

/** The one that is there may hold a person's work: it is replaced whole, or stays. */
function write(folder: string, file: string, text: string): void {
  try {
    replaceFile(file, Buffer.from(text), 'umask')
  } catch (error) {
    throw initFailure(folder, `${file} cannot be written: ${systemReason(error)}`, 'fix that and run the command again')
  }
}

async function assertFree(folder: string, file: string, overwrite: boolean): Promise<void> {
  const stats = await stat(folder).catch((error: unknown) => {
    throw initFailure(folder, systemReason(error))
  })
  if (!stats.isDirectory()) throw initFailure(folder, 'it is no folder', 'name the folder that the files are in')
  if ((await lstat(file).catch(() => undefined))?.isSymbolicLink()) {
    throw initFailure(folder, `${file} is a symbolic link`, 'remove it first')
  }
  const there = findManifest(folder)
  if (there === undefined || (overwrite && there === file)) return
  const replaceable = there === file
  throw initFailure(
    folder,
    `there is one already: ${there}`,
    replaceable ? 'add --overwrite to replace it' : `remove ${there} first`,
  )
}

function isSendable(name: string): boolean {
  return unlessFailure(() => originalFileName(name)) !== undefined
}

function initFailure(folder: string, why: string, advice?: string): Failure {
  return fileFailure(`cannot make a manifest of ${folder}`, {why, try: advice})
}

/** The text of a manifest, with comments to fill in for unknown values. */
async function manifestText(
  files: readonly ListedFile[],
  {container, platform, description}: InitFacts,
): Promise<string> {
  const {stringify} = await import('yaml')
  const yaml = (value: unknown) => stringify(value, {lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false})
  const line = (name: string, value: string | undefined, example: string) =>
    value === undefined ? `# ${name}: ${example}\n` : yaml({[name]: value})
  const entries = files.map(({key, role, link}) => ({
    path: key,
    role,
    ...(link !== undefined && 'file' in link ? {link: link.file} : {}),
  }))
  return `# yaml-language-server: $schema=asset-manifest.schema.json
# What roomctl asset sync uploads from this folder. The form is asset-manifest.schema.json, which comes with roomctl in
# docs/: a copy beside this file lets an editor check it.
version: 1

# The container that the files are meant for; a sync to another one is refused.
${line('container', container, 'games/puzzle')}
# Of every file that says nothing else: ios, android or windows. The service requires both.
${line('platform', platform, 'ios')}${line('description', description, 'Build 42')}
# path, role (asset, catalog or bundle), and where needed: link (the path of the asset that a bundle belongs to, or
# uuid:... of an existing one), name, platform, description, sha256.
${yaml({files: entries})}`
}
