import {expect, test} from 'vitest'
import {Failure} from '../../../../src/failure.js'
import type {UploadEvent, UploadJob, UploadResult} from '../../../../src/upload/model/job.js'
import {type UploadAllOptions, type UploadTask, uploadAll} from '../../../../src/upload/run/uploadAll.js'

function tasks(...keys: string[]): UploadTask[] {
  return keys.map((key) => {
    const place = {path: `/work/${key}`, container: 'games/foo', name: `${key}.bundle`} as const
    return {job: {key, ...place, platform: 'ios', description: 'd'}}
  })
}

function resultOf({key, path}: UploadJob): UploadResult {
  return {key, path, uuid: `u-${key}`, bytes: 1, sha256: 'd', sentBytes: 1}
}

const failing = (exit: 'missing' | 'unauthenticated' | 'interrupted', message = exit) => new Failure({exit, message})

function options(more: Partial<UploadAllOptions> = {}): UploadAllOptions & {events: UploadEvent[]} {
  const events: UploadEvent[] = []
  const emit = (event: UploadEvent) => void events.push(event)
  const verify = async () => undefined
  return {concurrency: 1, failFast: false, signal: new AbortController().signal, emit, events, verify, ...more}
}

const middleFails = (exit: 'missing' | 'unauthenticated') => async (job: UploadJob) => {
  if (job.key === 'b') throw failing(exit)
  return resultOf(job)
}

test.each([
  ['a file that fails leaves the others to be tried', 'missing', false, ['done', 'failed', 'done']],
  ['with failFast nothing is begun after it', 'missing', true, ['done', 'failed', 'not-tried']],
  ['a credential that is refused would be refused for all', 'unauthenticated', false, ['done', 'failed', 'not-tried']],
] as const)('%s', async (_, exit, failFast, outcomes) => {
  const settled: string[] = []
  const own = options({failFast, settled: ({job, outcome}) => void settled.push(`${job.key} ${outcome}`)})
  const all = await uploadAll({upload: middleFails(exit)}, tasks('a', 'b', 'c'), own)
  expect(all.map(({outcome}) => outcome)).toEqual(outcomes)
  expect(settled).toEqual(
    all.filter(({outcome}) => outcome !== 'not-tried').map(({job, outcome}) => `${job.key} ${outcome}`),
  )
})
