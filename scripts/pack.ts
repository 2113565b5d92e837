import {createHash} from 'node:crypto'
import {chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {npm} from './npm.js'

/** The file of the repository with the digest of the tarball of its version, in the form that sha256sum checks. */
const pinFile = 'package.sha256'

/** A tarball by `npm pack --json`; sizes in bytes. */
export interface Packed {
  /** Its path. */
  readonly tarball: string
  readonly files: readonly string[]
  readonly size: number
  readonly unpackedSize: number
}

/**
 * Packs the build into a tarball in `folder`, to be published and installed. Builds nothing. It is packed from a folder of its
 * own, since the package.json of the clone also names developer files: scripts, development packages, the sources.
 */
export function pack(root: string, folder: string): Packed {
  const staged = mkdtempSync(path.join(tmpdir(), 'roomctl-pack-'))
  try {
    stagePackage(root, staged)
    mkdirSync(folder, {recursive: true})
    const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', path.resolve(folder)], {cwd: staged}))
    const files = packed.files.map((file: {path: string}) => file.path)
    const {filename, size, unpackedSize} = packed
    return {tarball: path.join(folder, filename), files, size, unpackedSize}
  } finally {
    rmSync(staged, {recursive: true})
  }
}

/** Pins the tarball of the action and the template: the release fails for another one. */
export function pinTarball(root: string, tarball: string): void {
  const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex')
  writeFileSync(path.join(root, pinFile), `${digest}  ${path.basename(tarball)}\n`)
}

/** Writes the files of the package into a folder, and returns their names with `/`. */
export function stagePackage(root: string, staged: string): string[] {
  const pjson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  for (const file of [...pjson.files, 'README.md', 'LICENSE']) {
    cpSync(path.join(root, file), path.join(staged, file), {recursive: true})
  }
  for (const file of ['README.md', 'CHANGELOG.md']) {
    writeFileSync(path.join(staged, file), withAbsoluteLinks(readFileSync(path.join(staged, file), 'utf8'), pjson))
  }
  writeFileSync(path.join(staged, 'package.json'), `${JSON.stringify(publishedFields(pjson), null, 2)}\n`)
  const files = readdirSync(staged, {recursive: true, withFileTypes: true}).filter((one) => one.isFile())
  const names = files.map(({parentPath, name}) =>
    path.relative(staged, path.join(parentPath, name)).replaceAll('\\', '/'),
  )
  // Modes of the package, not of the umask under which it was cloned and built.
  for (const name of names) chmodSync(path.join(staged, name), name.startsWith('bin/') ? 0o755 : 0o644)
  return names.sort()
}

/** The package.json that is published: without what only the clone has. */
function publishedFields({scripts: _, devDependencies: __, oclif: {commands: ___, ...oclif}, ...fields}: PackageJson) {
  return {...fields, oclif}
}

/** A page whose links to files of the clone lead to them at the tag of the version: the tarball has no docs. */
function withAbsoluteLinks(page: string, {version, repository}: PackageJson): string {
  const tree = repository.url.replace(/^git\+|\.git$/g, '')
  return page.replaceAll(/(!\[[^\]]*)?\]\((?!https?:|#)([^)\s]+)\)/g, (_, image: string | undefined, file: string) =>
    image === undefined ? `](${tree}/blob/v${version}/${file})` : `${image}](${tree}/raw/v${version}/${file})`,
  )
}

interface PackageJson {
  readonly version: string
  readonly repository: {readonly url: string}
  readonly scripts: object
  readonly devDependencies: object
  readonly oclif: {readonly commands: string}
}

/** Installs the tarball as `npm i -g` does, without other packages; returns the installed command. */
export function installGlobally(tarball: string, prefix: string): string {
  npm(['install', '--global', '--offline', '--prefix', prefix, tarball])
  return path.join(prefix, 'bin', 'roomctl')
}
