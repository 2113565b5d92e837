import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import path from 'node:path'
import {buffer} from 'node:stream/consumers'

/** A release as the service keeps it: its files by name. */
interface Release {
  readonly tag: string
  isDraft: boolean
  readonly files: Map<string, Buffer>
}

interface GhCall {
  readonly words: readonly string[]
  readonly folder: string
  readonly token?: string
}

/** What the script `gh` in front of the double runs: it hands its words over, and ends as it is told. */
export const ghProgram = `exec node -e '
  const call = {words: process.argv.slice(1), folder: process.cwd(), token: process.env.GH_TOKEN}
  fetch(process.env.GH_DOUBLE + "/gh", {method: "POST", body: JSON.stringify(call)}).then(async (answer) => {
    process.stdout.write(await answer.text())
    process.exitCode = answer.ok ? 0 : 1
  })' -- "$@"`

const listFlags = '--limit 1000 --json tagName,isDraft --jq'
const isDraftOfTag = '.[] | select(.tagName == env.GITHUB_REF_NAME) | .isDraft'

/**
 * Stands in for the service that holds releases, by way of `gh`, and for the registry of packages. As the real ones: a second draft
 * may have the same tag, a file is replaced only with --clobber, a version of a package is never replaced, and what no person has
 * published before is unknown to the token of the workflow.
 */
export class ReleaseServices {
  readonly releases: Release[] = []
  /** The integrity of each version of the package. */
  readonly versions = new Map<string, string>()
  /** How many times a version was taken. */
  published = 0
  /** Whether a person has published the package before. */
  isKnown = true
  /** A fault that occurs once: gh dies with half of the files uploaded, or the registry's answer is lost. */
  fault: 'half of the files' | 'the answer of the registry' | undefined
  private tarball = Buffer.alloc(0)
  private manifest: {dist?: object} = {}
  private readonly server: Server = createServer((request, response) => void this.answer(request, response))

  constructor(readonly tag: string) {}

  async start(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening')
    return this.url
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.server.close()
    this.server.closeAllConnections()
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const {url = '', method} = request
    const [, tag, name = ''] = /^\/(v[^/]+)\/(.+)$/u.exec(url) ?? []
    const file = this.releases.find((one) => one.tag === tag && !one.isDraft)?.files.get(name)
    if (url === '/gh') this.gh(JSON.parse(body.toString()), response)
    else if (file) response.end(file)
    else if (url.endsWith('.tgz')) response.end(this.tarball)
    else if (method === 'PUT') this.publish(JSON.parse(body.toString()), request, response)
    else if (this.versions.size === 0) send(response, 404, {error: 'not found'})
    else send(response, 200, this.packument())
  }

  private gh({words: [, action = '', ...words], folder, token}: GhCall, response: ServerResponse): void {
    const [tag = '', ...rest] = words
    const release = this.releases.find((one) => one.tag === tag)
    const actions: Readonly<Record<string, (() => string | undefined) | undefined>> = {
      [`list ${listFlags} ${isDraftOfTag}`]: () => this.releases.map(({isDraft}) => `${isDraft}\n`).join(''),
      [`create ${this.tag} --draft --verify-tag --generate-notes`]: () => {
        this.releases.push({tag, isDraft: true, files: new Map()})
        return ''
      },
      [`upload ${words.join(' ')}`]:
        release?.isDraft && rest.at(-1) === '--clobber'
          ? () => this.upload(release, rest.slice(0, -1), folder)
          : undefined,
      [`edit ${release?.tag} --draft=false`]: () => {
        if (release) release.isDraft = false
        return ''
      },
    }
    const act = token === undefined ? undefined : actions[[action, ...words].join(' ')]
    const answer = act?.()
    if (answer === undefined) response.writeHead(500)
    response.end(answer ?? `gh: cannot do ${[action, ...words].join(' ')}\n`)
  }

  private upload(release: Release, files: readonly string[], folder: string): string | undefined {
    const isCut = this.fault === 'half of the files'
    if (isCut) this.fault = undefined
    for (const name of isCut ? files.slice(0, files.length / 2) : files) {
      release.files.set(path.basename(name), readFileSync(path.join(folder, name)))
    }
    return isCut ? undefined : ''
  }

  private publish(given: Published, {headers}: IncomingMessage, response: ServerResponse): void {
    const [version = ''] = Object.keys(given.versions)
    const isPerson = headers.authorization === 'Bearer person'
    const refusal = this.versions.has(version) ? 403 : this.isKnown || isPerson ? undefined : 404
    if (refusal !== undefined) {
      send(response, refusal, {error: refusal === 403 ? 'cannot publish over it' : 'no package trusts this workflow'})
      return
    }
    const [attachment] = Object.values(given._attachments)
    this.tarball = Buffer.from(attachment?.data ?? '', 'base64')
    this.manifest = given.versions[version] ?? {}
    this.versions.set(version, `sha512-${createHash('sha512').update(this.tarball).digest('base64')}`)
    this.published += 1
    this.isKnown = true
    if (this.fault === 'the answer of the registry') {
      this.fault = undefined
      response.destroy()
    } else send(response, 201, {ok: true})
  }

  private packument(): object {
    const [version = ''] = this.versions.keys()
    const dist = {integrity: this.versions.get(version), tarball: `${this.url}/package.tgz`}
    return {name: 'roomctl', 'dist-tags': {latest: version}, versions: {[version]: {...this.manifest, dist}}}
  }
}

interface Published {
  readonly versions: Readonly<Record<string, {readonly dist?: object}>>
  readonly _attachments: Readonly<Record<string, {readonly data: string}>>
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
}
