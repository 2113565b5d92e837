import {readFileSync} from 'node:fs'
import path from 'node:path'
import {codes} from '../../src/api/contract/codes.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {readFieldFile} from '../../src/cli/help/fields.js'
import {exits} from '../../src/failure.js'
import {topicPages} from './articles.js'
import {readCalls} from './calls.js'
import {commandIndex, commandPage} from './commandPages.js'
import {type DocumentedCommand, pageOf, readCommands} from './commands.js'
import {endingsOf} from './endings.js'
import {errorIndex, errorPage} from './errorPages.js'
import {folderGraph} from './folders.js'
import {manifestSchema} from './manifestSchema.js'
import {block} from './markdown.js'
import {operationsPage} from './operationsPage.js'
import {fillRegion} from './regions.js'
import {statusPage} from './statusPage.js'

/** Folders that hold generated pages and nothing else. */
export const generatedFolders = ['docs/commands', 'docs/errors'] as const

/** Every page that is generated, whole or in part, by its path below the root; reads the manifest of the last build. */
export async function makePages(root: string): Promise<ReadonlyMap<string, string>> {
  const commands = readCommands(root)
  const calls = await readCalls(root, commands)
  const fields = readFieldFile(root)
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  return new Map([
    ...commands.map(
      (command) =>
        [
          `docs/commands/${pageOf(command.name)}`,
          commandPage(command, calls.get(command.name) ?? [], fields[command.name]),
        ] as const,
    ),
    ['docs/commands/README.md', commandIndex(commands, topicsOf(JSON.parse(read('package.json'))))],
    ...codes.map((code) => [`docs/errors/${code}.md`, errorPage(code)] as const),
    ['docs/errors/README.md', errorIndex()],
    ['docs/errors/statuses.md', statusPage()],
    ...topicPages(read),
    ['docs/asset-manifest.schema.json', manifestSchema()],
    ['docs/exits.json', exitsFile(commands, calls)],
    ['docs/operations.md', operationsPage(calls)],
    ['docs/architecture.md', fillRegion(read('docs/architecture.md'), 'folders', folderGraph(root))],
    ['docs/guides/uploads-in-ci.md', ciGuide(read('docs/guides/uploads-in-ci.md'), JSON.parse(read('package.json')))],
    ['CONTRIBUTING.md', fillRegion(read('CONTRIBUTING.md'), 'clone', cloneBlock(JSON.parse(read('package.json'))))],
    ['templates/asset-sync.yml', gitlabTemplate(read('templates/asset-sync.yml'), read)],
    ['README.md', fillRegion(read('README.md'), 'install', installBlock(JSON.parse(read('package.json'))))],
    ['docs/packaging.md', fillRegion(read('docs/packaging.md'), 'ways', waysTable(JSON.parse(read('package.json'))))],
  ])
}

/** The codes that each command can end with, which `roomctl help -o json` lists. */
function exitsFile(commands: readonly DocumentedCommand[], calls: ReadonlyMap<string, readonly Operation[]>): string {
  const byCommand = commands.map((command) => {
    const endings = endingsOf(command, calls.get(command.name) ?? [])
    return [command.name, endings.map(({exit}) => exits[exit].code)] as const
  })
  const lines = byCommand.map(([name, codes]) => `    ${JSON.stringify(name)}: [${codes.join(', ')}]`)
  return `{\n  "$comment": "Made by \`npm run docs\`; an edit here is lost.",\n  "commands": {\n${lines.join(',\n')}\n  }\n}\n`
}

interface Package {
  readonly name: string
  readonly version: string
  readonly repository: {readonly url: string}
}

/** How to clone the repository, whose address only package.json has. */
function cloneBlock({name, repository}: Package): string {
  return block('sh', `${cloneLine(repository)}\ncd ${name}\nnpm ci`)
}

/** The template of GitLab with the tarball that it installs: a template cannot read other files of the repository. */
function gitlabTemplate(page: string, read: (file: string) => string): string {
  const {version, repository}: Package = JSON.parse(read('package.json'))
  const [digest = '', name = ''] = read('package.sha256').trim().split(/\s+/u)
  const folder = `${repository.url.replace(/^git\+|\.git$/gu, '')}/releases/download/v${version}`
  return page.replace(/- tarball=.*/u, `- tarball=${folder}/${name}`).replace(/- digest=.*/u, `- digest=${digest}`)
}

/** How to install a release, by the files that scripts/release writes. */
function waysTable({name, version, repository}: Package): string {
  const address = repository.url.replace(/^git\+|\.git$/gu, '')
  const latest = `${address}/releases/latest/download`
  const ways = [
    ['Linux, macOS', `curl -fsSL ${latest}/install.sh \\| sh`],
    ['Windows', `scoop install ${latest}/roomctl.json`],
    ['Homebrew', `brew install ${new URL(address).pathname.split('/')[1]}/tap/${name}`],
    ['Docker', `docker build -t ${name} ${latest}/Dockerfile`],
    ['npm', `npm install --global ${name}@${version}`],
  ]
  return ['| On | Line |', '| --- | --- |', ...ways.map(([on, line]) => `| ${on} | \`${line}\` |`)].join('\n')
}

/** How to install from a clone, without leaving the folder one is in. */
function installBlock({name, repository}: Package): string {
  return block('sh', `${cloneLine(repository)}\nnpm ci --prefix ${name}\nnpm install --global ./${name}`)
}

function cloneLine({url}: Package['repository']): string {
  return `git clone ${url.replace(/^git\+/u, '')}`
}

/** The guide with how other repositories name the action and the template of this one. */
function ciGuide(page: string, {version, repository}: {version: string; repository: {url: string}}): string {
  const address = repository.url.replace(/^git\+|\.git$/gu, '')
  const values = ['container: games/chess', 'path: build', 'platform: ios']
  const action = [
    `      - uses: ${new URL(address).pathname.slice(1)}@v${version}`,
    '        with:',
    ...values.map((line) => `          ${line}`),
  ]
  const template = [
    'include:',
    `  - remote: ${address}/raw/v${version}/templates/asset-sync.yml`,
    '    inputs:',
    ...values.map((line) => `      ${line}`),
  ]
  const withAction = fillRegion(page, 'action', block('yaml', action.join('\n')))
  return fillRegion(withAction, 'template', block('yaml', template.join('\n')))
}

interface Topics {
  readonly [name: string]: {readonly description: string; readonly subtopics?: Topics}
}

/** Every topic with its description, in the order of package.json; the commands without a topic come last. */
function topicsOf({oclif}: {oclif: {topics: Topics}}): ReadonlyMap<string, string> {
  const flat = (topics: Topics, above: string): [string, string][] =>
    Object.entries(topics).flatMap(([name, {description, subtopics}]) => [
      [`${above}${name}`, `${description}.`],
      ...flat(subtopics ?? {}, `${above}${name} `),
    ])
  return new Map([...flat(oclif.topics, ''), ['', 'For everything else.']])
}
