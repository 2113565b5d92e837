import {readFileSync} from 'node:fs'
import path from 'node:path'

/** The files of a release for installation. */
export interface Release {
  readonly version: string
  readonly description: string
  readonly license: string
  /** Of the repository. */
  readonly url: string
  /** SHA-256 in hex of each file, by its name. */
  readonly digests: ReadonlyMap<string, string>
}

/** The ways to install a release, by the names of their files. */
export function waysIn(release: Release): ReadonlyMap<string, string> {
  return new Map([
    ['install.sh', installScript(release)],
    ['roomctl.rb', formula(release)],
    ['roomctl.json', scoopManifest(release)],
    ['Dockerfile', dockerfile(release)],
  ])
}

function installScript({version, url, digests}: Release): string {
  const script = readFileSync(path.join(import.meta.dirname, 'install.sh'), 'utf8')
  const archives = [...digests].filter(([name]) => name.endsWith('.tar.gz'))
  return script
    .replaceAll('VERSION', version)
    .replace('HOMEPAGE', url)
    .replace(':-RELEASES', `:-${url}/releases/download`)
    .replace("'DIGESTS'", `'${archives.map(([name, digest]) => `${digest}  ${name}`).join('\n')}'`)
}

/** For Homebrew, on the npm package. */
function formula(release: Release): string {
  const {version, description, license, url} = release
  return `class Roomctl < Formula
  desc "${description.replace(/:.*/u, '')}"
  homepage "${url}"
  url "${addressOf(release, `roomctl-${version}.tgz`)}"
  sha256 "${digestOf(release, `roomctl-${version}.tgz`)}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
    man7.install_symlink libexec.glob("share/man/man7/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/roomctl --version")
  end
end
`
}

function scoopManifest(release: Release): string {
  const {version, description, license, url} = release
  const folder = `roomctl-${version}-win-x64`
  const manifest = {
    version,
    description,
    homepage: url,
    license,
    architecture: {
      '64bit': {
        url: addressOf(release, `${folder}.zip`),
        hash: digestOf(release, `${folder}.zip`),
        extract_dir: folder,
      },
    },
    bin: 'roomctl.exe',
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function dockerfile(release: Release): string {
  const name = `roomctl-${release.version}.tgz`
  return `FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ADD --checksum=sha256:${digestOf(release, name)} ${addressOf(release, name)} /tmp/roomctl.tgz
RUN npm install --global --offline --ignore-scripts --no-audit --no-fund /tmp/roomctl.tgz
USER node
WORKDIR /home/node
ENTRYPOINT ["roomctl"]
`
}

function addressOf({url, version}: Release, name: string): string {
  return `${url}/releases/download/v${version}/${name}`
}

function digestOf({digests}: Release, name: string): string {
  const digest = digests.get(name)
  if (digest === undefined) throw new Error(`the release has no ${name}`)
  return digest
}
