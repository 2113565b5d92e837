import {defineConfig} from 'vitest/config'
import {builtFolders} from './test/support/builtTests.js'
import {LongestFirst} from './test/support/longestFirst.js'

/** What every project shares. */
const shared = {
  setupFiles: ['test/support/eachFile.ts'],
  // No test changes what it imports, so the files of a worker share it: a fresh start for each took longer than most of them.
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 60_000,
  sequence: {sequencer: LongestFirst},
}

const tests = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`)
const [ofBuilt, ofFull] = ['test/**/*.built.test.ts', 'test/**/*.full.test.ts']
const inProcess = ['unit', 'commands', 'contract', 'sandbox']
/** Tests that need no sh, link or mode, and meet what systems differ in: paths, names, lines, times. */
const portable = [
  ...['upload/download/fileName', 'features/asset/paths', 'features/completion/parseLine'],
  ...['storage/disk/renameFile', 'storage/profile/environment', 'upload/files/headers', 'selection/daylightSaving'],
].map((file) => `test/unit/${file}.test.ts`)

/** Of the project `main`, what `vitest run --mode NAME` runs; without a mode all. */
const modes: Readonly<Record<string, {readonly include: string[]; readonly exclude: string[]}>> = {
  fast: {include: tests(inProcess), exclude: [...tests(builtFolders), ofBuilt, ofFull]},
  portable: {include: portable, exclude: []},
}
const all = {include: tests([...inProcess, ...builtFolders]), exclude: [ofFull]}
const globalSetup = ['test/support/temporary.ts', 'test/support/build.ts', 'test/support/warm.ts']

export default defineConfig(({mode}) => ({
  test: {
    // Many of these tests wait for processes and clocks: two workers leave a quarter of two cores idle, a third one a tenth.
    maxWorkers: 3,
    // What was translated once is read from a file when it has not changed: most of the time of a single test file.
    experimental: {fsModuleCache: true},
    projects: [
      // One project for all of it: each further one starts workers of its own, which load all modules again.
      {test: {...shared, name: 'main', ...(modes[mode] ?? all), globalSetup}},
      {
        test: {
          ...shared,
          name: 'full',
          include: [...tests(['canary', 'disk', 'elsewhere', 'hostile', 'signals', 'terminal']), ofFull],
          globalSetup,
        },
      },
    ],
  },
}))
