import {readFileSync} from 'node:fs'
import path from 'node:path'
import {parseProfileFile} from '../../src/storage/profile/file.js'
import {contentOf, filesToUpload, profilesToExport, resourcesToDownload} from './prepare.js'
import type {Written} from './writtenFile.js'

const sandbox = ['-p', 'sandbox']
const numberIn = (text: string) => Number(/\d+$/u.exec(text)?.[0])

/** The lines of an append-only file, at most one of them truncated. */
function linesOf(text: string): unknown[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line)]
    } catch {
      return []
    }
  })
}

function journalNames(text: string): number[] {
  return linesOf(text).flatMap((line) => {
    const {targets} = line as {targets: {name?: string}}
    return targets.name === undefined ? [] : [numberIn(targets.name)]
  })
}

/** Uploads whose bytes are in a file of their own. */
function uploadOf(n: number) {
  return {
    words: ['asset', 'upload', 'games/puzzle', `value-${n}.bin`, '--platform', 'ios', '--description', 'd', ...sandbox],
  }
}

const cannotWrite = (file: string) =>
  new RegExp(`^error: (?:cannot write \\S*${file}|\\S*${file} cannot be written)`, 'mu')

/** Every file of the tool that a user relies on, without caches, which cost only time. */
export const everyFile: readonly Written[] = [
  {
    name: 'the profile file',
    word: 'profile',
    file: 'config/config.json',
    folder: 'config',
    beside: ['config.backup.json'],
    write: (n) => ({words: ['config', 'set', 'applicationId', `app-${n}`]}),
    values: (text) => [numberIn(parseProfileFile(Buffer.from(text)).profiles.default?.applicationId ?? '')],
    keeps: 'last',
    isOurs: true,
    done: 0,
    fewestCalls: 11,
    refusal: /^error: cannot write the profile file \S+config\.json: /mu,
    exit: 3,
  },
  {
    name: 'the journal',
    word: 'journal',
    file: 'state/journal.ndjson',
    folder: 'state',
    beside: [],
    write: (n) => ({words: ['room', 'create', `room-${n}`, '--created-by', 'ann', ...sandbox]}),
    values: journalNames,
    keeps: 'all',
    isOurs: true,
    isAppended: true,
    done: 0,
    fewestCalls: 2,
    refusal: /^warning: the change is not in the journal/mu,
    exit: 0,
  },
  {
    name: 'the ledger of uploads',
    word: 'ledger',
    file: 'state/uploads/uploads.jsonl',
    folder: 'state/uploads',
    beside: [],
    write: uploadOf,
    values: (text) =>
      linesOf(text).flatMap((line) => {
        const {kind, name} = line as {kind: string; name?: string}
        return kind === 'entry' && name !== undefined ? [numberIn(name.replace('.bin', ''))] : []
      }),
    keeps: 'all',
    isOurs: true,
    isAppended: true,
    done: 0,
    fewestCalls: 12,
    mayBeKept: true,
    refusal: /^error: cannot write the ledger of uploads \S+uploads\.jsonl: /mu,
    exit: 14,
    prepare: filesToUpload,
  },
  {
    name: "the sandbox's world",
    word: 'sandbox',
    file: 'data/roomctl/sandbox/world.json',
    folder: 'data/roomctl/sandbox',
    beside: [],
    write: (n) => ({words: ['room', 'create', `room-${n}`, '--created-by', 'ann', ...sandbox]}),
    values: (text) =>
      (JSON.parse(text).rooms as {name: string}[]).flatMap(({name}) =>
        /^room-\d+$/u.test(name) ? [numberIn(name)] : [],
      ),
    keeps: 'all',
    isOurs: true,
    done: 0,
    fewestCalls: 7,
    refusal: /^error: .*cannot keep the sandbox's state in \S+/mu,
    exit: 3,
  },
  {
    name: "the sandbox's uploaded bytes",
    word: 'bytes',
    file: 'data/roomctl/sandbox/world.json',
    folder: 'data/roomctl/sandbox',
    beside: ['files'],
    write: uploadOf,
    values: (text, home) =>
      (JSON.parse(text).resources as {name: string; uuid: string}[]).flatMap(({name, uuid}) => {
        if (!/^value-\d+\.bin$/u.test(name)) return []
        const kept = readFileSync(path.join(home, 'data/roomctl/sandbox/files', uuid), 'utf8')
        if (kept !== readFileSync(path.join(home, name), 'utf8')) throw new Error(`the bytes of ${name} are not whole`)
        return [numberIn(name.replace('.bin', ''))]
      }),
    keeps: 'all',
    isOurs: true,
    done: 0,
    fewestCalls: 7,
    refusal: /^error: /mu,
    exit: 3,
    prepare: filesToUpload,
  },
  {
    name: 'an exported profile',
    word: 'exported',
    file: 'out/exported.json',
    folder: 'out',
    beside: [],
    write: (n) => ({words: ['config', 'profile', 'export', `value-${n}`, 'out/exported.json', '--overwrite']}),
    values: (text) => [numberIn(JSON.parse(text).settings.applicationId)],
    keeps: 'last',
    done: 0,
    fewestCalls: 4,
    refusal: cannotWrite('exported\\.json'),
    exit: 14,
    prepare: profilesToExport,
  },
  {
    name: 'a download',
    word: 'download',
    file: 'out/bytes',
    folder: 'out',
    beside: [],
    write: (n) => ({
      words: ['asset', 'download', `games/puzzle/value-${n}`, '--to', 'out/bytes', '--overwrite', ...sandbox],
    }),
    values: (text) => {
      const n = numberIn(text.split('\n')[0] ?? '')
      if (text !== contentOf(n)) throw new Error(`half a download: ${text.length} characters`)
      return [n]
    },
    keeps: 'last',
    done: 0,
    fewestCalls: 4,
    refusal: /^error: cannot (?:download \S+: \S+bytes cannot be written|write \S+bytes)/mu,
    exit: 14,
    prepare: resourcesToDownload,
  },
]
