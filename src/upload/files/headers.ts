import {basename} from 'node:path'
import type {Platform} from '../../api/contract/assetShapes.js'
import {withFacts, wrongUsage} from '../../failure.js'
import {grouped} from '../../text/text.js'
import {assertNoStamp, type UploadJob, type UploadSettings} from '../model/job.js'
import type {LocalFile} from './findFiles.js'

type Described = Pick<UploadJob, 'key' | 'container' | 'name' | 'platform' | 'description' | 'link'>

/**
 * The headers of a create request, but Upload-Length (asset, Create upload headers). What HTTP cannot carry is percent-encoded, or
 * with `raw` sent as the bytes of its UTF-8, one character each, as Node takes header values. Throws Failure (usage).
 */
export function createHeaders(file: Described, encoding: UploadSettings['headerEncoding']) {
  try {
    return fileHeaders(file, encoding)
  } catch (error) {
    const {key, container} = file
    throw withFacts(error, ({message}) => ({
      message: `cannot upload ${key} to ${container}: ${message}`,
      cause: message,
    }))
  }
}

/** The same, of a file whose container is not known yet. */
export function fileHeaders(
  {name, platform, description, link}: Omit<Described, 'key' | 'container'>,
  encoding: UploadSettings['headerEncoding'],
) {
  return {
    Original_File_Name: nameHeader(name, encoding),
    Platform: platform,
    Description: encode('the description', checkedDescription(description), encoding),
    ...(link === undefined ? {} : {Asset_Resource_File_Id: assetFileId(link)}),
  }
}

export function nameHeader(name: string, encoding: UploadSettings['headerEncoding']): string {
  return encode('the file name', originalFileName(name), encoding)
}

/**
 * A file name with an extension, composed (NFC): macOS decomposes names, and the same file must have the same upload everywhere.
 * Throws Failure (usage).
 */
export function originalFileName(name: string): string {
  assertPrintable('the file name', name, 'upload the file by itself, and name it with --name')
  if (/[/\\]/u.test(name)) throw wrongUsage(`${name} is no file name but a path`, {try: 'omit the folders'})
  if (!/[^.].*\.[^.\s]+$/su.test(name)) {
    const advice = 'upload the file by itself, and give it a name with an extension with --name'
    throw wrongUsage(`the name ${name} has no extension`, {try: advice})
  }
  return name.normalize('NFC')
}

/** One segment of a path. */
export const assetFileIdForm = /^(?!\.{1,2}$)[\w\-.~!$&'()*+,;=:@]+$/u

/** The id of an asset file. Throws Failure (usage) for what cannot be a segment of a path. */
export function assetFileId(id: string): string {
  if (assetFileIdForm.test(id)) return id
  throw wrongUsage('this is not the uuid of an asset file', {
    why: 'Asset_Resource_File_Id is the uuid of the asset file, without spaces, slashes and the like',
    try: 'use the uuid at the end of an address that asset list shows',
  })
}

function checkedDescription(description: string): string {
  assertPrintable('the description', description, 'write it on one line')
  if (description.trim() !== '') return description
  throw wrongUsage('the description is empty', {
    why: 'the document requires one',
    try: 'describe it with --description',
  })
}

function assertPrintable(what: string, text: string, advice: string): void {
  if (/\p{Cs}/u.test(text)) throw wrongUsage(`${what} is not valid Unicode text`, {try: advice})
  if (!/\p{Cc}/u.test(text)) return
  const why = 'a header is one line of text; a line break in it would be taken for another header'
  throw wrongUsage(`${what} holds a line break or another control character`, {why, try: advice})
}

/** HTTP takes the spaces around a value away, so they are encoded too. */
function encode(what: string, text: string, encoding: UploadSettings['headerEncoding']): string {
  if (encoding === 'percent') return text.replace(/[^\x20-\x7e]+|%|^ +| +$/gu, encodeURIComponent)
  if (text === text.trim()) return Buffer.from(text, 'utf8').toString('latin1')
  throw wrongUsage(`${what} begins or ends with a space, which is lost in a header`, {try: 'remove the space'})
}

export interface Common {
  readonly container: string
  readonly platform: Platform
  /** Of all files; otherwise each is described by its name. */
  readonly description?: string | undefined
  readonly name?: string | undefined
  readonly link?: string | undefined
  readonly encoding: UploadSettings['headerEncoding']
}

export function uploadJob({key, path}: LocalFile, {container, platform, encoding, ...said}: Common): UploadJob {
  const name = said.name ?? basename(path)
  const description = said.description ?? name
  assertNoStamp(description)
  const link = said.link === undefined ? {} : {link: assetFileId(said.link)}
  const job = {key, path, container, platform, description, ...link}
  createHeaders({...job, name}, encoding)
  return {...job, name: originalFileName(name)}
}

/** Names that several jobs send to the same container and platform. */
export function sameNames(jobs: readonly UploadJob[]): string[] {
  const places = grouped(jobs, ({container, platform, name}) => JSON.stringify([container, platform, name]))
  const twice = Array.from(places.values()).flatMap(([job, ...others]) => (job && others.length > 0 ? [job.name] : []))
  return [...new Set(twice)]
}
