import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'

/** Every source that writes to the disk, and which file of written.ts tries it, or why none does. */
const writers: Readonly<Record<string, string>> = {
  'src/cli/output/outputFile.ts': 'an exported profile',
  'src/features/sandbox/exampleFiles.ts': 'test/commands/sandbox/seed.test.ts',
  'src/storage/disk/lock.ts': "the profile file, the sandbox's world",
  'src/storage/disk/privateFile.ts': "all that is the tool's own",
  'src/storage/disk/replaceFile.ts': 'all that is not appended to',
  'src/storage/document.ts': "a cache, the sandbox's world",
  'src/storage/log/log.ts': "the ledger, the journal, the sandbox's uploads",
  'src/storage/log/rotate.ts': 'test/unit/storage/log/rotate.built.test.ts',
  'src/storage/profile/write.ts': 'the profile file',
  'src/sandbox/asset/tusServer.ts': "the sandbox's uploaded bytes",
  'src/sandbox/demo/scenarios.ts': 'a reset',
  'src/sandbox/world/worldFile.ts': "the sandbox's world",
  'src/terminal/output.ts': 'stdout',
  'src/upload/download/partFile.ts': 'a download',
  'src/upload/ledger/claims.ts': 'the ledger of uploads',
  'src/upload/ledger/finished.ts': 'test/unit/upload/ledger/ledgerFaults.full.test.ts',
  'src/upload/ledger/ledger.ts': 'the ledger of uploads',
}

const writing =
  /\b(?:writeFile|appendFile|write|mkdir|mkdtemp|rename|link|symlink|copyFile|rm|rmdir|unlink|truncate|ftruncate|chmod|fchmod|utimes|futimes|fsync|fdatasync|createWriteStream|replaceFile|makePrivateFolder|openToAppend|createPrivateFile)(?:Sync)?\b/u

test('every source that writes to the disk has a test', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const sources = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'}).filter((name) =>
    /\.ts$/u.test(name),
  )
  const match = sources
    .map((name) => path.join('src', name))
    .filter((name) => importsToWrite(readFileSync(path.join(root, name), 'utf8')))
  expect(match.sort()).toEqual(Object.keys(writers).sort())
})

function importsToWrite(text: string): boolean {
  const imports = text.matchAll(
    /import \{([^}]*)\} from '(?:node:fs(?:\/promises)?|[./]*(?:\w+\/)*disk\/(?:replaceFile|privateFile)\.js)'/gu,
  )
  return [...imports].some(([, names = '']) => writing.test(names))
}
