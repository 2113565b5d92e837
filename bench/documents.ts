import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {measureRounds, type Subject} from './measure.js'
import {printAims, printResult, type Result} from './report.js'
import {writeStampedFiles} from './sync.js'
import {startService} from './world.js'

interface DocumentsOptions {
  readonly roomctl: string
  readonly folder: string
  readonly rounds: number
  /** Files of the manifest. */
  readonly files: number
  readonly profiles: number
}

const floor = 'node -e 0'

/** Documents that are read whole: a manifest of many files, and many profiles. */
export async function benchDocuments({roomctl, folder, rounds, files, profiles}: DocumentsOptions): Promise<void> {
  const place = mkdtempSync(path.join(folder, 'documents-'))
  const below = (name: string) => path.join(place, name)
  for (const name of ['home', 'build']) mkdirSync(below(name))
  writeFileSync(below('stamps'), writeStampedFiles(below('build'), files, 2 ** 8))
  const manifest = below('build/roomctl.assets.yaml')
  writeFileSync(manifest, manifestOf(files))
  const {url, close} = await startService('stamped.ts', below('stamps'))
  const {PATH, TMPDIR} = process.env
  const services = {ROOMCTL_ASSET_URL: url, ROOMCTL_ASSET_TOKEN: 'bench'}
  const env = {PATH, TMPDIR, HOME: below('home'), CI: '1', ...services}
  const run = (...words: readonly string[]) =>
    execFileSync(process.execPath, [roomctl, ...words], {env, stdio: 'ignore', maxBuffer: 2 ** 30})
  const about = ['--platform', 'ios', '--description', 'Build 42', '-q']
  const sync = ['asset', 'sync', 'games/puzzle', manifest, '--stamp', '--verify', 'none']
  try {
    run(...sync, ...about)
    run('config', 'profile', 'add', 'p0', '--room-url', 'https://rooms.example.com/media')
    writeProfiles(below('home/.config/roomctl/config.json'), profiles)
    const subject = (name: string, ...words: readonly string[]): Subject => ({
      name,
      argv: [process.execPath, roomctl, ...words],
    })
    const result: Result = {
      title: `a manifest of ${files} files, and ${profiles} profiles`,
      floor,
      rounds: await measureRounds({
        subjects: [
          {name: floor, argv: [process.execPath, '-e', '0']},
          subject('manifest, dry run', ...sync, '--dry-run', ...about),
          subject('manifest, --check', ...sync, '--check', ...about),
          subject('profiles', 'config', 'profile', 'list', '-q'),
        ],
        runs: rounds,
        warmups: 1,
        env,
      }),
      aims: [
        {of: 'manifest, dry run', figure: 'peak MiB', atMost: 175},
        {of: 'manifest, --check', figure: 'peak MiB', atMost: 260},
        {of: 'profiles', figure: 'peak MiB', atMost: 82},
      ],
    }
    printResult(result)
    printAims([result])
  } finally {
    close()
  }
}

/** Names the files that `writeStampedFiles` writes. */
function manifestOf(count: number): string {
  const entries = Array.from({length: count}, (_, at) => `  - path: part${at}.png\n    role: asset\n`)
  return `version: 1\nfiles:\n${entries.join('')}`
}

/** Repeats the one profile of the file under other names. */
function writeProfiles(file: string, count: number): void {
  const config = JSON.parse(readFileSync(file, 'utf8'))
  const profiles = Array.from({length: count}, (_, at) => [`p${at}`, config.profiles.p0])
  writeFileSync(file, JSON.stringify({...config, profiles: Object.fromEntries(profiles)}))
}
