import type {Mutation} from './mutation.js'

/** What reaches a terminal, a spreadsheet, a log. */
export const screen: readonly Mutation[] = [
  {
    name: 'safe-text',
    breaks: 'control characters of a service reach the terminal',
    file: 'src/text/text.ts',
    from: '.replace(unsafe(), (character: string, kept: string | undefined) => kept ?? escaped(character))',
    to: '',
    tests: ['test/unit/text/text.test.ts'],
  },
  {
    name: 'formula',
    breaks: 'a spreadsheet runs what a cell of CSV holds',
    file: 'src/view/format/csv.ts',
    from: `safeText(value).replace(run, "'")`,
    to: 'safeText(value)',
    tests: ['test/unit/view'],
  },
  {
    name: 'mask-of-stderr',
    breaks: 'a service that repeats the token gets it into an error',
    file: 'src/cli/session/session.ts',
    from: 'runtime.stderr.filter = (text) => secrets.mask(text)',
    to: '',
    tests: ['test/canary/plain.test.ts'],
  },
  {
    name: 'mask-of-result',
    breaks: 'a service that repeats the token gets it onto the screen',
    file: 'src/cli/session/session.ts',
    from: 'runtime.stdout.filter = (text) => secrets.maskResult(text)',
    to: '',
    tests: ['test/canary', 'test/commands/every'],
  },
  {
    name: 'known-token',
    breaks: 'the token of a service is not known as a secret',
    file: 'src/cli/session/serviceClients.ts',
    from: '  secrets.add(token)\n',
    to: '',
    tests: ['test/canary'],
  },
  {
    name: 'secrets-of-children',
    breaks: 'programs that are started see the tokens of the environment',
    file: 'src/cli/runtime/runtime.ts',
    from: 'return Object.fromEntries(Object.entries(env).filter(([name]) => !/^ROOMCTL_\\w*(TOKEN|PASSWORD)$/iu.test(name)))',
    to: 'return env',
    tests: ['test/stories/login.full.test.ts', 'test/stories/pager.full.test.ts', 'test/canary'],
  },
  {
    name: 'closed-pipe',
    breaks: 'a reader that has seen enough is an error',
    file: 'src/terminal/output.ts',
    from: 'if (isClosedPipe(error) || this.#isGoneTerminal(error)) this.#closed = true',
    to: 'if (this.#isGoneTerminal(error)) this.#closed = true',
    tests: ['test/unit/terminal'],
  },
  {
    name: 'cut-result',
    breaks: 'a full disk behind stdout cuts a result short without a word',
    file: 'src/terminal/output.ts',
    from: 'for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)',
    to: 'writeSync(descriptor, bytes)',
    tests: ['test/unit/terminal', 'test/disk', 'test/stories/fullDisk.full.test.ts'],
  },
]
