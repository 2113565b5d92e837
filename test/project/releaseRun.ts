import {execFileSync} from 'node:child_process'
import {chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {parse} from 'yaml'
import {ownTarget} from '../../scripts/binary/targets.js'
import {numberedFolder} from '../support/folder.js'
import {readText, root} from '../support/repository.js'
import type {ReleaseServices} from './releaseServices.js'
import {ghProgram} from './releaseServices.js'
import {bash, fill, isDue, type Step, type Values} from './runner.js'

interface Job {
  readonly needs?: string | readonly string[]
  readonly env?: Values
  readonly steps: readonly Step[]
  readonly strategy?: {readonly matrix: Readonly<Record<string, readonly string[]>>}
}

interface Run {
  readonly name: string
  readonly job: Job
  /** Where its folder `out` is kept once it is made. */
  readonly made: string
}

/** The workflow that releases, as its file says. */
export const releaseJobs: Readonly<Record<string, Job>> = parse(readText('.github/workflows/release.yml')).jobs

/** Whether a step leaves something outside its runner: the others read, and write into the folder `out` of the job. */
export const isLeft = ({uses = '', run = ''}: Step): boolean =>
  /\/(?:upload-artifact|attest)/u.test(uses) || /gh release|npm publish/u.test(run)

/** What these tests are a part of, and what only the services of GitHub and Sigstore can do. */
const notRun = ['.ci/run']
const withoutSigstore = {NPM_CONFIG_PROVENANCE: 'false'}

interface Options {
  readonly folder: string
  /** The repository that has the tag. */
  readonly origin: string
  readonly services: ReleaseServices
  /** Writes what a machine of another system would have built. */
  readonly standIn: (target: string, folder: string) => void
}

/**
 * A run of the workflow: each job in a new checkout and an empty home; artifacts stay until they are replaced. What the steps of a
 * job make for an artifact is made once: those of a later run, and of the second build, would make the same again.
 */
export class ReleaseRun {
  readonly log: string[] = []
  readonly attested: string[] = []
  private readonly succeeded = new Set<string>()

  constructor(private readonly options: Options) {
    mkdirSync(path.join(options.folder, 'artifacts'), {recursive: true})
    this.provide('gh', ghProgram)
    // What npm ci installs and the build makes is what the checkout that runs the tests has. The single file of this system is a
    // program that is as small as those of the others: singleFile.full.test.ts builds it.
    const binary = path.join(options.folder, 'binary')
    options.standIn(ownTarget, binary)
    this.provide(
      'npm',
      [
        `test "$1" = ci && exec ln -s '${root}/node_modules' node_modules`,
        `test "$*" = 'run build' && exec cp -al '${root}/dist' dist`,
        `test "$*" = 'run task -- binary ${ownTarget} --archive' && exec cp -al '${binary}' out`,
        `exec '${programNamed('npm')}' "$@"`,
      ].join('\n'),
    )
  }

  /** Runs the jobs that have not succeeded, as "Re-run failed jobs" does; `failing` ends its job, and the run, after that step. */
  async run(failing?: {readonly job: string; readonly after: number}): Promise<boolean> {
    for (const [name, job] of Object.entries(releaseJobs)) {
      const needs = [job.needs ?? []].flat()
      if (this.succeeded.has(name) || needs.some((other) => !this.succeeded.has(other))) continue
      const after = failing?.job === name ? failing.after : undefined
      if (await this.runInstances(name, job, after)) this.succeeded.add(name)
      else if (after !== undefined) return false
    }
    return Object.keys(releaseJobs).every((name) => this.succeeded.has(name))
  }

  /** As "Re-run all jobs" does. */
  forget(): void {
    this.succeeded.clear()
  }

  /** Another run with the artifacts of the jobs before the last, against other services. */
  publishingTo(services: ReleaseServices, folder: string): ReleaseRun {
    mkdirSync(path.join(folder, 'artifacts'))
    link(this.artifact('release'), path.join(folder, 'artifacts/release'))
    const run = new ReleaseRun({...this.options, services, folder})
    for (const name of Object.keys(releaseJobs).filter((one) => one !== 'publish')) run.succeeded.add(name)
    return run
  }

  /** The folder of an artifact. */
  artifact(name: string): string {
    return path.join(this.options.folder, 'artifacts', name)
  }

  /** Types a line as a user would; stdout and stderr are the one log. */
  inShell(line: string, env: Values): Promise<{exit: number; log: string}> {
    return bash({work: this.options.folder, env: {}}, line, env)
  }

  /** One after the other: the second build of a matrix takes what the first has made. */
  private async runInstances(name: string, job: Job, after?: number): Promise<boolean> {
    let isFine = true
    for (const matrix of instancesOf(job)) {
      const made = path.join(this.options.folder, 'made', `${name}-${matrix.target}`)
      if (matrix.target === undefined || matrix.target === ownTarget) {
        isFine = (await this.runJob({name, job, made}, matrix, after)) && isFine
      } else {
        if (!existsSync(made)) this.options.standIn(matrix.target, made)
        link(made, this.emptied(`binary-${matrix.build}-${matrix.target}`))
      }
    }
    return isFine
  }

  private async runJob({name, job, made}: Run, matrix: Values, after?: number): Promise<boolean> {
    const {folder, services} = this.options
    const scope = Object.fromEntries(Object.entries(matrix).map(([key, value]) => [`matrix.${key}`, value]))
    const home = numberedFolder(path.join(folder, 'home-'))
    const work = numberedFolder(path.join(folder, `${name}-`))
    writeFileSync(path.join(home, '.npmrc'), `${services.url.replace('http:', '')}/:_authToken=workflow\n`)
    const env = {
      PATH: `${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: home,
      LANG: 'C.UTF-8',
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_REF_NAME: services.tag,
      GITHUB_WORKSPACE: work,
      GH_DOUBLE: services.url,
      npm_config_registry: services.url,
      // Waits of npm, and a question of it that is not about the release.
      npm_config_fetch_retry_mintimeout: '1',
      npm_config_update_notifier: 'false',
    }
    let isFine = true
    const out = path.join(work, 'out')
    const isMade = existsSync(made)
    if (isMade) link(made, out)
    // The last job makes nothing: it only sends.
    const first = name === 'publish' ? 0 : job.steps.findIndex(isLeft)
    for (const [at, step] of job.steps.entries()) {
      if (!isDue(step.if, scope, !isFine) || (isMade && at < first)) continue
      if (at === first && !isMade && existsSync(out)) link(out, made)
      const ran = await this.runStep(step, scope, {work, env: {...env, ...fill(job.env, scope)}})
      this.log.push(`${name}: ${ran.log}`)
      isFine = ran.exit === 0 && at !== after
    }
    for (const used of [work, home]) rmSync(used, {recursive: true})
    return isFine
  }

  private async runStep(step: Step, scope: Values, machine: {work: string; env: Values}) {
    const {run, uses, env} = step
    if (run !== undefined) {
      if (notRun.includes(run)) return {exit: 0, log: `${run}: not within itself`}
      return bash(machine, run, {
        ...fill(env, scope),
        ...(env && 'NPM_CONFIG_PROVENANCE' in env ? withoutSigstore : {}),
      })
    }
    try {
      this.use(uses?.replace(/@.*/u, '') ?? '', fill(step.with, scope), machine.work)
      return {exit: 0, log: `${uses}`}
    } catch (error) {
      return {exit: 1, log: `${uses}: ${error}`}
    }
  }

  private use(action: string, given: Values, work: string): void {
    const {origin, services} = this.options
    if (action === 'actions/checkout') {
      execFileSync('git', ['clone', '--quiet', '--branch', services.tag, origin, work], {stdio: 'ignore'})
    } else if (action === 'actions/upload-artifact') this.upload(given, work)
    else if (action === 'actions/download-artifact') this.download(given, work)
    else if (action === 'actions/attest-build-provenance') {
      this.attested.push(...readdirSync(path.join(work, path.dirname(given['subject-path'] ?? ''))))
    } else if (action !== 'actions/setup-node') throw new Error('no such action here')
  }

  private upload({name = '', path: place = '', overwrite}: Values, work: string): void {
    if (existsSync(this.artifact(name)) && overwrite !== 'true') throw new Error(`there is an artifact ${name}`)
    const [, folder = place, prefix = ''] = /^(.*)\/([^/]*)\*$/u.exec(place) ?? []
    const files = readdirSync(path.join(work, folder)).filter((file) => file.startsWith(prefix))
    if (files.length === 0) throw new Error(`no files at ${place}`)
    const artifact = this.emptied(name)
    for (const file of files) link(path.join(work, folder, file), path.join(artifact, file))
  }

  private download({name, pattern = '', path: place = '', 'merge-multiple': merged}: Values, work: string): void {
    const all = readdirSync(path.join(this.options.folder, 'artifacts'))
    const meant = all.filter((one) => (name === undefined ? one.startsWith(pattern.replace(/\*$/u, '')) : one === name))
    if (meant.length === 0) throw new Error(`there is no artifact ${name ?? pattern}`)
    for (const one of meant) {
      const isFlat = name !== undefined || merged === 'true'
      link(this.artifact(one), path.join(work, place, isFlat ? '' : one))
    }
  }

  private emptied(name: string): string {
    rmSync(this.artifact(name), {recursive: true, force: true})
    mkdirSync(this.artifact(name))
    return this.artifact(name)
  }

  private provide(name: string, script: string): void {
    const file = path.join(this.options.folder, 'bin', name)
    mkdirSync(path.dirname(file), {recursive: true})
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
  }
}

function programNamed(name: string): string {
  return execFileSync('sh', ['-c', `command -v ${name}`], {encoding: 'utf8'}).trim()
}

/** Another file or folder of the same content: links, since what is there is replaced and never changed. */
function link(from: string, to: string): void {
  mkdirSync(path.dirname(to), {recursive: true})
  execFileSync('cp', ['-alT', from, to])
}

/** The combinations of a matrix; an `include` adds to those that it agrees with. */
function instancesOf({strategy}: Job): Values[] {
  const {include: _, ...axes} = strategy?.matrix ?? {}
  return Object.entries(axes).reduce<Values[]>(
    (instances, [name, values]) => instances.flatMap((one) => values.map((value) => ({...one, [name]: value}))),
    [{}],
  )
}
