import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The tests start processes of their own; a third worker on two cores makes every one of them late.
    maxWorkers: 2,
  },
})
