import {setTimeout as delay} from 'node:timers/promises'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Failure} from '../../../../src/failure.js'
import type {Link, UploadJob, UploadResult} from '../../../../src/upload/model/job.js'
import {type UploadAllOptions, type Uploaded, uploadAll} from '../../../../src/upload/run/uploadAll.js'
import {type PlannedFile, uploadOrder, uploadTask} from '../../../../src/upload/sync/plan.js'

/** A file of a plan; `there` is the uuid of one that is not to be sent. */
function planned(key: string, facts: {link?: Link; there?: string; sha256?: string; size?: number} = {}): PlannedFile {
  const {link, there, sha256, size = 1} = facts
  const file = {key, path: `/build/${key}`, role: 'asset', name: key, platform: 'ios', description: 'x'} as const
  return {
    file: {...file, ...(link ? {link} : {}), ...(sha256 === undefined ? {} : {sha256})},
    action: there === undefined ? 'upload' : 'skip',
    reason: '',
    bytes: size,
    from: 0,
    ...(there === undefined ? {} : {there: {uuid: there, sha256: 'ab'}}),
  }
}

const bundle = (key: string, asset: string) => planned(key, {link: {file: asset}})

/** An uploader that keeps its files, in order; a file of the list fails. */
class Uploading {
  readonly jobs: UploadJob[] = []
  readonly ended: string[] = []
  atOnce = 0
  most = 0

  constructor(private readonly failures: Readonly<Record<string, Failure>> = {}) {}

  async upload(job: UploadJob): Promise<UploadResult> {
    this.jobs.push(job)
    this.atOnce += 1
    this.most = Math.max(this.most, this.atOnce)
    await delay(job.key.length % 3)
    this.atOnce -= 1
    this.ended.push(job.key)
    const failure = this.failures[job.key]
    if (failure) throw failure
    const {key, path} = job
    return {key, path, uuid: `u-${key}`, bytes: 1, sha256: 'ab', sentBytes: 1}
  }
}

function run(uploading: Uploading, plan: readonly PlannedFile[], options: Partial<UploadAllOptions> = {}) {
  return uploadAll(uploading, tasksOf(plan), {
    concurrency: 4,
    failFast: false,
    signal: new AbortController().signal,
    emit: () => undefined,
    verify: async () => undefined,
    ...options,
  })
}

const tasksOf = (plan: readonly PlannedFile[]) => plan.map((item) => uploadTask(item, 'games/foo'))

const refused = new Failure({exit: 'refused', message: 'no'})
const inShort = (synced: Awaited<ReturnType<typeof run>>) =>
  synced.map((item) => [item.job.key, item.outcome, ...('reason' in item ? [item.reason] : [])])

test('a bundle does not wait for files that it has nothing to do with', async () => {
  const uploading = new Uploading()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = {
    upload: async (job: UploadJob) => {
      if (job.key === 'slow') await held
      const result = await uploading.upload(job)
      if (job.key === 'c') release()
      return result
    },
  }
  const synced = await uploadAll(slow, tasksOf([planned('slow'), planned('a'), bundle('c', 'a')]), {
    concurrency: 2,
    failFast: false,
    signal: new AbortController().signal,
    emit: () => undefined,
    verify: async () => undefined,
  })
  expect(inShort(synced)).toEqual([
    ['slow', 'done'],
    ['a', 'done'],
    ['c', 'done'],
  ])
})

test('a file that changed after the plan was made is not the file of the manifest', async () => {
  const [synced] = await run(new Uploading(), [planned('a', {sha256: 'cd'})])
  expect(synced).toMatchObject({
    outcome: 'failed',
    failure: {facts: {exit: 'file', code: 'bytes-differ', outcome: 'applied'}},
  })
  expect(await run(new Uploading(), [planned('a', {sha256: 'ab'})])).toMatchObject([{outcome: 'done'}])
})

const plans = fc
  .array(fc.record({to: fc.option(fc.nat(100)), fails: fc.boolean(), there: fc.boolean()}), {maxLength: 12})
  .map((drafts) =>
    drafts.map(({to, fails, there}, at) => ({
      key: `f${at}`,
      fails,
      ...(there ? {there: `t-f${at}`} : {}),
      ...(to === null || at === 0 ? {} : {link: {file: `f${to % at}`}}),
    })),
  )

interface Drafted {
  readonly fails: boolean
  readonly there?: string
  readonly link?: {readonly file: string}
}

/** The expected outcome of a file, by that of the file it links to. */
function expectedOutcome({link, there, fails}: Drafted, outcomes: ReadonlyMap<string, string>): string {
  const before = link && outcomes.get(link.file)
  if (before === 'failed' || before === 'not-tried') return 'not-tried'
  if (there !== undefined) return 'there'
  return fails ? 'failed' : 'done'
}

test('whatever the links, every file is acted on exactly once, after the file it links to, and never beyond the limit', async () => {
  await fc.assert(
    fc.asyncProperty(plans, fc.integer({min: 1, max: 4}), async (files, concurrency) => {
      const failing = files.filter(({fails}) => fails).map(({key}) => [key, refused])
      const uploading = new Uploading(Object.fromEntries(failing))
      const ordered = uploadOrder(files, () => 0)
      const synced = await run(
        uploading,
        ordered.map(({key, ...facts}) => planned(key, facts)),
        {concurrency},
      )

      expect(synced.map(({job}) => job.key)).toEqual(ordered.map(({key}) => key))
      const outcomes = new Map(
        synced.map(({job, outcome, result}: Uploaded & {result?: UploadResult}) => [
          job.key,
          outcome === 'skipped' && result ? 'there' : outcome,
        ]),
      )
      const sent = uploading.jobs.map(({key}) => key)
      expect(new Set(sent).size).toBe(sent.length)
      expect(uploading.most).toBeLessThanOrEqual(concurrency)
      for (const file of files) {
        expect(outcomes.get(file.key)).toBe(expectedOutcome(file, outcomes))
        expect(sent.includes(file.key)).toBe(['done', 'failed'].includes(expectedOutcome(file, outcomes)))
        const [before, own] = [uploading.ended.indexOf(file.link?.file ?? ''), uploading.ended.indexOf(file.key)]
        if (own !== -1) expect(before).toBeLessThan(own)
      }
    }),
    {numRuns: 40},
  )
})
