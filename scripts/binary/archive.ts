import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {crc32, deflateRawSync, gzipSync} from 'node:zlib'
import {nodeLicence} from './targets.js'

interface ArchiveFile {
  readonly name: string
  readonly bytes: Buffer
  readonly mode: number
}

const maxBytes = 45e6

/** The names of the archives of a target. */
export function archivesOf(version: string, target: string): string[] {
  const endings = target.startsWith('win-') ? ['.zip'] : ['.tar.gz', '.tar.xz']
  return endings.map((ending) => `roomctl-${version}-${target}${ending}`)
}

/**
 * Writes the archives of an executable into `folder` and returns their paths: `.zip` for Windows, `.tar.gz` and `.tar.xz` for the
 * others. They contain no time and no owner, so that one source makes one archive, which no system's tar and zip promise.
 */
export function writeArchives(root: string, target: string, executable: string, folder: string): string[] {
  const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const from = (name: string, file: string, mode = 0o644) => ({
    name: `roomctl-${version}-${target}/${name}`,
    bytes: readFileSync(file),
    mode,
  })
  const files = [
    from(path.basename(executable), executable, 0o755),
    from('LICENSE', path.join(root, 'LICENSE')),
    from('LICENSE-node', nodeLicence(root)),
    from('THIRD-PARTY-NOTICES.txt', path.join(root, 'dist/THIRD-PARTY-NOTICES.txt')),
  ]
  const tar = tarOf(files)
  return archivesOf(version, target).map((name) => {
    const file = path.join(folder, name)
    const bytes = name.endsWith('.zip') ? zipOf(files) : compressed(tar, name)
    if (bytes.length > maxBytes) throw new Error(`${name} has ${bytes.length} bytes, and at most ${maxBytes} are meant`)
    writeFileSync(file, bytes)
    return file
  })
}

function compressed(tar: Buffer, name: string): Buffer {
  if (name.endsWith('.gz')) return gzipSync(tar, {level: 9})
  return execFileSync('xz', ['-6', '--threads=1', '--stdout'], {input: tar, maxBuffer: 2 ** 28})
}

/** POSIX ustar: a header of 512 bytes with numbers in octal, the bytes padded to 512, and two empty blocks. */
function tarOf(files: readonly ArchiveFile[]): Buffer {
  const blocks = files.flatMap(({name, bytes, mode}) => [
    tarHeader(name, mode, bytes.length),
    bytes,
    Buffer.alloc(-bytes.length & 511),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function tarHeader(name: string, mode: number, size: number): Buffer {
  const header = Buffer.alloc(512)
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at)
  header.write(name)
  octal(mode, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(0, 136, 11)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  )
  return header
}

/** The first day that a zip file can name. */
const zipEpoch = 0x21

/** PKZIP: each file with a header, then the directory of all of them, and its end. */
function zipOf(files: readonly ArchiveFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const {name, bytes, mode} of files) {
    const packed = deflateRawSync(bytes, {level: 9})
    const title = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt16LE(zipEpoch, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(title.length, 22)
    const own = Buffer.alloc(14)
    own.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6)
    own.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, own, title)
    const file = [Buffer.from('PK\x03\x04', 'latin1'), common, title, packed]
    parts.push(...file)
    at += file.reduce((sum, {length}) => sum + length, 0)
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(
    directory.reduce((sum, {length}) => sum + length, 0),
    12,
  )
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}
