import {defineConfig} from 'vitest/config'
import {LongestFirst} from './test/support/longestFirst.js'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporary.ts', 'test/support/build.ts', 'test/support/warm.ts'],
    setupFiles: ['test/support/eachFile.ts'],
    // No test changes what it imports, so the files of a worker share it: a fresh start for each took longer than most of them.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Many tests wait for processes and clocks: two workers leave a quarter of two cores idle, a third one a tenth.
    maxWorkers: 3,
    sequence: {sequencer: LongestFirst},
  },
})
