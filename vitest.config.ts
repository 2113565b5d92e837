import {defineConfig} from 'vitest/config'
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

const tests = (folders: string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`)
const [ofBuilt, ofFull] = ['test/**/*.built.test.ts', 'test/**/*.full.test.ts']
/** Tests that need no sh, link or mode, and meet what systems differ in: paths, names, lines, times. In no other project. */
const portable = [
  ...['upload/download/fileName', 'features/asset/paths', 'features/completion/parseLine'],
  ...['storage/disk/renameFile', 'storage/profile/environment', 'upload/files/headers', 'selection/daylightSaving'],
].map((file) => `test/unit/${file}.test.ts`)
const built = ['test/support/temporary.ts', 'test/support/build.ts', 'test/support/warm.ts']

export default defineConfig({
  test: {
    // Many of these tests wait for processes and clocks: two workers leave a quarter of two cores idle, a third one a tenth.
    maxWorkers: 3,
    // Most of what a test makes dies young: a larger young generation takes a tenth of the CPU off.
    execArgv: ['--max-semi-space-size=64'],
    // What was translated once is read from a file when it has not changed: most of the time of a single test file.
    experimental: {fsModuleCache: true},
    projects: [
      {
        test: {
          ...shared,
          name: 'fast',
          include: tests(['unit', 'commands', 'contract', 'sandbox']),
          exclude: [...tests(['commands/every']), ...portable, ofBuilt, ofFull],
          globalSetup: ['test/support/temporary.ts'],
        },
      },
      {
        test: {...shared, name: 'portable', include: portable, globalSetup: ['test/support/temporary.ts']},
      },
      {
        test: {
          ...shared,
          name: 'built',
          include: [...tests(['commands/every', 'project', 'stories', 'people']), ofBuilt],
          exclude: [ofFull],
          globalSetup: built,
        },
      },
      {
        test: {
          ...shared,
          name: 'full',
          include: [...tests(['canary', 'disk', 'elsewhere', 'hostile', 'signals', 'terminal']), ofFull],
          globalSetup: built,
        },
      },
    ],
  },
})
