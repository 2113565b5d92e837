import path from 'node:path'
import {errorJson, failureWarning} from '../../cli/output/failures.js'
import {type Environment, isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import type {Failure} from '../../failure.js'
import {counted, safeText} from '../../text/text.js'
import type {UploadRow} from '../../view/asset/transfers.js'
import {causeWords, outcomeWords, withMark} from '../../view/format/outcome.js'
import {unsaidByUs} from '../../view/system/failure.js'

export const ciKinds = ['auto', 'github', 'gitlab', 'none'] as const
export type CiKind = (typeof ciKinds)[number]
type CiSystem = 'github' | 'gitlab'

/** A workflow command of GitHub Actions, `::error file=a::message`, escaped as its runner reads it. */
export function githubCommand(
  name: string,
  message: string,
  properties: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(properties).map(([key, value]) => {
    return `${key}=${escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`
  })
  return `::${[name, pairs.join(',')].filter((part) => part !== '').join(' ')}::${escapeData(message)}`
}

function escapeData(text: string): string {
  return withoutOldForm(text, false).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** GitHub's runner finds commands as `::` at the start of a line and as the older `##[` anywhere. `asJson`: escapes that keep JSON's values. */
export function withoutCommands(text: string, asJson: boolean): string {
  return withoutOldForm(text, asJson).replace(/^(\s*):(?=:)/gmu, `$1${asJson ? '\\u003a' : '\\u{3a}'}`)
}

function withoutOldForm(text: string, asJson: boolean): string {
  return text.replaceAll('##[', `#${asJson ? '\\u0023' : '\\u{23}'}[`)
}

/** The CI system of stderr; `auto` detects it by the variable that each sets to `true`. */
export function detectCi(kind: CiKind, env: Environment): CiSystem | undefined {
  if (kind !== 'auto') return kind === 'none' ? undefined : kind
  if (env.GITHUB_ACTIONS === 'true') return 'github'
  return env.GITLAB_CI === 'true' ? 'gitlab' : undefined
}

/** The log of a CI job on stderr, without repainting; GitHub shows each failure at its file. Stdout lists the files themselves. */
export class CiLog {
  /** The heading of the group, until there is a line for it. */
  #heading: string | undefined
  #section: string | undefined
  #isCommand = false

  /** Whether each failure is shown at its file, not if every line of stderr is JSON. */
  readonly #hasAnnotations: boolean
  /** False if progress was turned off, or is for a program: then failures alone are written, as annotations. */
  readonly hasLines: boolean

  constructor(
    private readonly session: Session,
    readonly system: CiSystem,
    progress: string,
  ) {
    this.#hasAnnotations = progress !== 'json'
    this.hasLines = this.#hasAnnotations && progress !== 'none' && session.output.format !== 'ids'
    this.#guardStdout()
    if (system === 'github') this.#guardStderr()
  }

  get isExplained(): boolean {
    return this.system === 'github' && this.#hasAnnotations
  }

  /** File names and texts of the service must not act as commands of the runner. YAML quotes them. */
  #guardStdout(): void {
    this.session.runtime.stdout.masks.push((text) => this.#guarded(text))
  }

  #guarded(text: string): string {
    switch (this.session.output.format) {
      case 'csv':
        return text.replace(/^(?=[^\S\n]*(?:::|##\[))[^",\n]*/gmu, '"$&"')
      case 'tsv':
      case 'ids':
        return this.#withoutCommandRows(text)
      case 'yaml':
        return text
      default:
        return this.system === 'github' ? withoutCommands(text, isMachineFormat(this.session.output.format)) : text
    }
  }

  /** Neither format can quote: omit a row that begins like a command. */
  #withoutCommandRows(text: string): string {
    const lines = text.split('\n')
    const kept = lines.filter((line) => withoutCommands(line, false) === line)
    const count = lines.length - kept.length
    if (count === 0) return text
    const {warn, endWith, runtime} = this.session
    const rows = count === 1 ? '1 row was' : `${count} rows were`
    const advice = 'the CI system would take it for a command; -o json shows all'
    warn(`warning: ${rows} left out of stdout: ${advice}`)
    if (!runtime.signal.aborted) endWith('partial')
    return kept.join('\n')
  }

  #guardStderr(): void {
    const {output, runtime} = this.session
    const isMachine = isMachineFormat(output.format)
    runtime.stderr.masks.push((text) => (this.#isCommand ? text : withoutCommands(text, isMachine)))
  }

  /** The first line; a group holds the lines that follow, if any do. `target`: a clause. */
  begin(files: number, target: string): void {
    this.#heading = `${counted(files, 'file')}${target}`
    this.session.progress(`uploading ${this.#heading}`)
  }

  warn(text: string): void {
    if (this.system === 'gitlab') this.line(`warning: ${safeText(text)}`)
    else this.#command(githubCommand('warning', safeText(this.session.secrets.mask(text))))
  }

  /** A line of the group, which opens with the first. */
  line(text: string): void {
    if (this.#heading !== undefined && this.#section === undefined) {
      this.#section = `roomctl_upload_${this.#seconds()}`
      const heading = safeText(this.#heading)
      this.#command(this.system === 'github' ? githubCommand('group', heading) : this.#sectionMark('start') + heading)
    }
    this.session.progress(text)
  }

  /** Ends the group, if there is one, with a line for each of the files that stdout does not list. */
  end(unlisted: readonly UploadRow[]): void {
    for (const row of this.hasLines ? unlisted : []) {
      const cause = causeWords(row, row.file)
      this.line(safeText(`${outcomeWords(row)} ${row.file}${cause === '' ? '' : `: ${cause}`}`))
    }
    this.#heading = undefined
    if (this.#section === undefined) return
    this.#command(this.system === 'github' ? '::endgroup::' : this.#sectionMark('end'))
    this.#section = undefined
  }

  failed(failure: Failure, file?: string): void {
    if (!this.#hasAnnotations) return
    if (this.system === 'gitlab') {
      // The table has it, and one without a file ends the command.
      if (file !== undefined && this.session.output.format !== 'table')
        this.session.progress(failureWarning(this.session, failure))
      return
    }
    const error = errorJson(this.session, failure)
    const more = {why: error.why, service: unsaidByUs(error), try: error.try}
    const lines = [
      withMark(error.message, error),
      ...Object.entries(more).flatMap(([name, text]) => (text ? [`${name}: ${text}`] : [])),
    ]
    const place = file === undefined ? {} : {file: safeText(this.#placeOf(file))}
    this.#command(githubCommand('error', lines.map(safeText).join('\n'), place))
  }

  /** As GitHub names the files of the checkout: below the workspace. */
  #placeOf(file: string): string {
    const {GITHUB_WORKSPACE: workspace = ''} = this.session.runtime.env
    const below = workspace === '' ? '' : path.relative(workspace, file)
    return below === '' || below.startsWith('..') || path.isAbsolute(below) ? file : below.replaceAll('\\', '/')
  }

  /** GitLab folds the lines between two such marks; ESC [0K removes them from the screen. */
  #sectionMark(edge: 'start' | 'end'): string {
    return `\u001b[0Ksection_${edge}:${this.#seconds()}:${this.#section}\r\u001b[0K`
  }

  #seconds(): number {
    return Math.floor(this.session.runtime.now().getTime() / 1000)
  }

  /** A line for the CI system itself, whose parts are safe and escaped. */
  #command(line: string): void {
    // The filter runs before `write` returns.
    this.#isCommand = true
    void this.session.runtime.stderr.write(`${line}\n`)
    this.#isCommand = false
  }
}
