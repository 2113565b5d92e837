import {execFileSync, spawn} from 'node:child_process'
import {chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {parse, parseAllDocuments} from 'yaml'
import {pinTarball} from '../../scripts/pack.js'
import {numberedFolder} from '../support/folder.js'
import {pjson, readText, root} from '../support/repository.js'
import type {Machine} from './machine.js'

export interface Step {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
}

interface Action {
  readonly inputs: Readonly<Record<string, {readonly default?: string; readonly required?: boolean}>>
  readonly outputs: Readonly<Record<string, {readonly value: string}>>
  readonly runs: {readonly using: string; readonly steps: readonly Step[]}
}

/** The workflow of the README, and its job. */
export const workflow = /```yaml\n(.*?)```/su.exec(readText('README.md'))?.[1] ?? ''
export const {upload} = parse(workflow).jobs

/** The address of the files of the release. */
export const releases = `${pjson.repository.url.replace(/^git\+|\.git$/gu, '')}/releases/download/v${pjson.version}`

/** The action of this repository, as its file says. */
export const action: Action = parse(readText('action.yml'))

/** The result of a job: its log, and its output for the page of the run. */
export interface JobRun {
  readonly exit: number
  readonly log: string
  readonly summary: string
  readonly outputs: Readonly<Record<string, string>>
  /** The actions of others that it used, with their inputs. */
  readonly used: readonly {readonly name: string; readonly with: Readonly<Record<string, string>>}[]
}

interface Job {
  readonly env?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

/** Values of `${{ }}`: `vars.A`, `secrets.B`. */
export type Values = Readonly<Record<string, string>>

/**
 * Stands in for the runner of GitHub Actions as far as these workflows use it: expressions that name a value, compare one with a text
 * or ask `always()`, the variables and files of a step, composite actions, and steps in `bash -eo pipefail`.
 */
export async function runGithubJob(machine: Machine, {env = {}, steps}: Job, values: Values): Promise<JobRun> {
  const files = {output: path.join(machine.folder, 'output'), summary: path.join(machine.folder, 'summary.md')}
  const temp = numberedFolder(path.join(machine.folder, 'runner-temp-'))
  for (const file of Object.values(files)) writeFileSync(file, '')
  const runner = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: path.join(machine.folder, 'action'),
    GITHUB_OUTPUT: files.output,
    GITHUB_STEP_SUMMARY: files.summary,
    GITHUB_WORKSPACE: machine.work,
    RUNNER_TEMP: temp,
    // A fresh runner has no state of earlier jobs.
    HOME: path.join(temp, 'home'),
  }
  const used: {name: string; with: Values}[] = []
  const known: Values = {...values, 'runner.temp': temp}
  let exit = 0
  let log = ''
  const runStep = async (step: Step, jobEnv: Values, scope: Values): Promise<void> => {
    if (step.uses === undefined) {
      const ran = await bash(machine, step.run ?? '', {...runner, ...jobEnv, ...fill(step.env, scope)})
      log += ran.log
      exit ||= ran.exit
    } else if (ownAction.test(step.uses)) {
      await runSteps(action.runs.steps, jobEnv, {...known, ...inputsOf(fill(step.with, scope))})
    } else used.push({name: step.uses, with: fill(step.with, scope)})
  }
  const runSteps = async (all: readonly Step[], jobEnv: Values, scope: Values): Promise<void> => {
    for (const step of all) if (isDue(step.if, scope, exit !== 0)) await runStep(step, jobEnv, scope)
  }
  await runSteps(steps, fill(env, known), known)
  const outputs = Object.fromEntries(
    readFileSync(files.output, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  return {exit, log, summary: readFileSync(files.summary, 'utf8'), outputs, used}
}

/** This repository's action, in it or by its name. */
const ownAction = /^(?:\.\/|[\w-]+\/roomctl@)/u

/** The inputs of the action as its steps name them, with the defaults of those that are not given. */
function inputsOf(given: Values): Values {
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])
  const all: Values = {...Object.fromEntries(defaults), ...given}
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`inputs.${name}`, value]))
}

/** The texts with the values of their expressions. */
export function fill(given: Values = {}, values: Values): Values {
  const evaluate = (text: string) =>
    text.replaceAll(/\$\{\{ (\S+) \}\}/gu, (_, name: string) => values[name] ?? `(${name})`)
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, evaluate(String(value))]))
}

/** Whether a step is to run: by its condition, and by what failed before. */
export function isDue(condition: string | undefined, values: Values, hasFailed: boolean): boolean {
  if (condition === undefined) return !hasFailed
  const [, always, name = '', wanted] = /^\$\{\{ (always\(\) && )?(\S+) == '([^']*)' \}\}$/u.exec(condition) ?? []
  return values[name] === wanted && (!hasFailed || always !== undefined)
}

/** Runs the job of the GitLab template with these inputs, in its container's stead on the machine. */
export async function runGitlabTemplate(machine: Machine, inputs: Values, env: Values): Promise<JobRun> {
  const pin = readFileSync(path.join(machine.folder, 'action/package.sha256'), 'utf8')
  const template = readText('templates/asset-sync.yml')
  const [head, body] = parseAllDocuments(template.replace(/digest=[0-9a-f]{64}/u, `digest=${pin.slice(0, 64)}`))
  const declared: Readonly<Record<string, {default?: string}>> = head?.toJS().spec.inputs
  const job = Object.values<{
    variables: Record<string, {value: string; expand: boolean}>
    script: string[]
  }>(body?.toJS())[0]
  const textOf = (name: string) => inputs[name] ?? declared[name]?.default ?? `no input ${name}`
  const variables = Object.entries(job?.variables ?? {}).map(([name, {value}]) => [
    name,
    value.replaceAll(/\$\[\[ inputs\.(\S+) \]\]/gu, (_, input: string) => textOf(input)),
  ])
  const own = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PROJECT_DIR: machine.work,
    HOME: numberedFolder(path.join(machine.folder, 'home-')),
    ...Object.fromEntries(variables),
    ...env,
  }
  const ran = await bash(machine, (job?.script ?? []).join('\n'), own)
  return {...ran, summary: '', outputs: {}, used: []}
}

/** A step in bash; stdout and stderr are the one log. */
export async function bash(
  machine: Pick<Machine, 'work' | 'env'>,
  script: string,
  env: Values,
): Promise<{exit: number; log: string}> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: machine.work,
    env: {...machine.env, ...env},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)))
  return {log: await text(child.stdout), exit: await exit}
}

/**
 * Puts a checkout of the action on the machine that holds the digest of this tarball, and a `curl` that gives the tarball for the address
 * of its release and nothing for another.
 */
export function provideRelease(machine: Machine, tarball: string, address: string): void {
  const checkout = path.join(machine.folder, 'action')
  mkdirSync(checkout)
  copyFileSync(path.join(root, 'package.json'), path.join(checkout, 'package.json'))
  pinTarball(checkout, tarball)
  const file = path.join(machine.folder, 'bin/curl')
  const wanted = `${address}/${path.basename(tarball)}`
  // As it is called: --output FILE ADDRESS stand last.
  const script = ['#!/bin/bash', `test "\${@: -1}" = '${wanted}' || exit 22`, `cp '${tarball}' "\${@: -2:1}"`]
  writeFileSync(file, `${script.join('\n')}\n`)
  chmodSync(file, 0o755)
}

/**
 * Puts an `npm` on the machine that installs the package of the checkout where its version is asked for, and asks no registry. A
 * folder of its own gets a copy of the first that npm made.
 */
export function provideNpm(machine: Machine, tarball: string): void {
  const real = execFileSync('sh', ['-c', 'command -v npm'], {encoding: 'utf8'}).trim()
  const file = path.join(machine.folder, 'bin/npm')
  const script = [
    '#!/bin/bash',
    'if test "$2" = --prefix; then',
    `  test -d '${machine.folder}/npm' || '${real}' --prefix '${machine.folder}/npm' "$1" "\${@:4}" || exit`,
    `  mkdir -p "$3" && exec cp -a '${machine.folder}/npm/.' "$3"`,
    'fi',
    'args=()',
    `for word in "$@"; do case "$word" in roomctl@${pjson.version}) args+=('${tarball}');; roomctl*) exit 64;; *) args+=("$word");; esac; done`,
    `exec '${real}' --offline "\${args[@]}"`,
  ]
  writeFileSync(file, `${script.join('\n')}\n`)
  chmodSync(file, 0o755)
}
