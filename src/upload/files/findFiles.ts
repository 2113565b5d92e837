import {accessSync, constants, statSync} from 'node:fs'
import {resolve} from 'node:path'
import type {Advice} from '../../advice.js'
import {type Failure, fileFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import type {UploadJob} from '../model/job.js'

export interface LocalFile {
  readonly key: string
  readonly path: string
  readonly size: number
}

/** `platform` is undefined as long as it is to be asked for. */
type Place = Pick<UploadJob, 'container'> & {readonly platform: UploadJob['platform'] | undefined}

const mostListed = 20

/** The files that arguments name, each once. Throws Failure (file) that lists all that cannot be uploaded to `container`. */
export function findLocalFiles(keys: readonly string[], {container, platform}: Place): LocalFile[] {
  const files = new Map<string, LocalFile>()
  const problems: Problem[] = []
  for (const key of keys) {
    const path = resolve(key)
    if (files.has(path)) continue
    const looked = look(key, path, {container, platform})
    if ('why' in looked) problems.push(looked)
    else files.set(path, looked)
  }
  if (problems.length > 0) throw cannotUpload(problems, container)
  return [...files.values()]
}

interface Problem {
  readonly key: string
  readonly why: string
  readonly try?: Advice
}

/** At once: for many files, the way to another thread and back takes longer than the looking. */
function look(key: string, path: string, {container, platform}: Place): LocalFile | Problem {
  if (key === '-') return {key, why: 'stdin is not a file: an upload reads its bytes again when it is resumed'}
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) {
      return {
        key,
        why: 'it is a folder',
        try: {command: ['asset sync', container, key, ...(platform ? ['--platform', platform] : [])]},
      }
    }
    if (!stats.isFile()) return {key, why: 'it is not a regular file'}
    accessSync(path, constants.R_OK)
    return {key, path, size: stats.size}
  } catch (error) {
    return {key, why: systemReason(error)}
  }
}

function cannotUpload(problems: readonly Problem[], container: string): Failure {
  const [first] = problems
  const advice = problems.find((problem) => problem.try)?.try
  if (first && problems.length === 1) {
    const message = `cannot upload ${first.key} to ${container}: ${first.why}`
    return fileFailure(message, {why: 'nothing was sent', try: advice})
  }
  const listed = problems.slice(0, mostListed).map(({key, why}) => `${key}: ${why}`)
  const more = problems.length - listed.length
  return fileFailure(`cannot upload ${problems.length} of the files to ${container}, so nothing was sent`, {
    why: [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
    try: advice,
  })
}
