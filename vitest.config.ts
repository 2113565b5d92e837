import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporary.ts', 'test/support/build.ts'],
    setupFiles: ['test/support/eachFile.ts'],
    // No test changes what it imports, so the files of a worker share it: a fresh start for each took longer than most of them.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The tests start processes of their own; a third worker on two cores makes every one of them late.
    maxWorkers: 2,
  },
})
