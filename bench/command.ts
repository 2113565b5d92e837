import {Command, InvalidArgumentError, Option} from 'commander'

/** `npm run bench -- startup`, and the other measurements. Each loads its own code. */
const benchCommand = new Command('bench')
  .description('measure the installed package, side by side with others')
  .showHelpAfterError()

benchCommand
  .command('startup')
  .description('whole processes as ratios to `node -e 0`')
  .option('--runs <n>', 'runs of each', wholeNumber, 21)
  .option('--node <majors>', 'versions of Node', wholeNumbers, [20, 24])
  .option('--no-peers', 'leave out the programs that have to be installed first')
  .action(async ({runs, node, peers}) => (await import('./startup.js')).benchStartup({runs, nodes: node, peers}))

benchCommand
  .command('table')
  .description('a long list in several formats, as ratios to JSON.parse of the same body')
  .option('--runs <n>', 'runs of each', wholeNumber, 5)
  .option('--rooms <n>', 'rooms in the list', wholeNumber, 100_000)
  .option('--node <majors>', 'versions of Node', wholeNumbers, [20, 24])
  .action(async ({runs, rooms, node}) => (await import('./table.js')).benchTable({runs, rooms, nodes: node}))

benchCommand
  .command('upload')
  .description('uploads, beside a bare loop over node:http, curl and tus-js-client')
  .option('--rounds <n>', 'rounds of each case', wholeNumber, 7)
  .option('--size <size>', 'size of the large file', byteSize, 2 ** 30)
  .option('--files <n>', 'number of small files', wholeNumber, 1000)
  .option('--only <text>', 'only the cases whose title holds this', '')
  .option('--quick', 'two rounds of an eighth of it all')
  .action(async ({quick, rounds, size, files, only}) =>
    (await import('./upload.js')).benchUpload(
      quick ? {rounds: 2, size: size / 8, files: Math.ceil(files / 8), only} : {rounds, size, files, only},
    ),
  )

benchCommand
  .command('bulk')
  .description("many rooms ended, beside undici's own pool and over a slow service")
  .option('--rounds <n>', 'rounds of each case', wholeNumber, 5)
  .option('--only <text>', 'only the cases whose title holds this', '')
  .option('--quick', 'one round of a tenth of it')
  .action(async ({quick, rounds, only}) =>
    (await import('./bulk.js')).benchBulk(quick ? {rounds: 1, part: 10, only} : {rounds, part: 1, only}),
  )

benchCommand
  .command('scale')
  .description('a full journal, a full ledger and large syncs, beside small ones')
  .option('--rounds <n>', 'rounds over the journal and the ledger', wholeNumber, 7)
  .option('--kept <n>', 'changes in the journal, and finished uploads in the ledger', wholeNumber, 150_000)
  .option('--files <n>', 'files of the larger sync', wholeNumber, 20_000)
  .addOption(new Option('--only <part>', 'only this part').choices(['kept', 'sync', 'documents']))
  .option('--quick', 'three rounds, a twentieth of the files')
  .action(async ({quick, only, rounds, kept, files}) =>
    (await import('./scale.js')).benchScale(
      quick ? {only, rounds: 3, kept, files: Math.ceil(files / 20)} : {only, rounds, kept, files},
    ),
  )

benchCommand
  .command('watch')
  .description('a watch that polls many times, without the waits between')
  .option('--polls <n>', 'how many times it looks', wholeNumber, 10_000)
  .action(async ({polls}) => (await import('./watch.js')).benchWatch({polls}))

benchCommand
  .command('sync')
  .description('a sync whose files are all there, beside curl, and the limited rate')
  .option('--rounds <n>', 'rounds of each', wholeNumber, 5)
  .option('--files <counts>', 'how many files', wholeNumbers, [1500, 20_000])
  .option('--size <size>', 'size of each file', byteSize, 2 ** 14)
  .option('--seconds <n>', 'for how long the rate is measured', wholeNumber, 30)
  .option('--quick', 'one round of 1,500 files, and 5 seconds')
  .action(async ({quick, rounds, files, size, seconds}) =>
    (await import('./sync.js')).benchSync(
      quick ? {rounds: 1, files: [1500], size, seconds: 5} : {rounds, files, size, seconds},
    ),
  )

benchCommand
  .command('cases')
  .description('starts, zones, scripts, digests, downloads and peaks, each beside the least that does the same')
  .option('--rounds <n>', 'rounds of each case', wholeNumber, 7)
  .option('--only <text>', 'only the cases whose title holds this', '')
  .option('--quick', 'two rounds of a tenth of it all')
  .action(async ({quick, rounds, only}) =>
    (await import('./cases.js')).benchCases(quick ? {rounds: 2, part: 10, only} : {rounds, part: 1, only}),
  )

benchCommand
  .command('growth')
  .description('CPU and peaks of lists, changes and the history, over 1 to 1,000 times the work')
  .option('--rounds <n>', 'runs of each', wholeNumber, 2)
  .option('--least <n>', 'rooms, changes or events of the smallest run', wholeNumber, 100)
  .action(async ({rounds, least}) => (await import('./growth.js')).benchGrowth({rounds, least}))

benchCommand
  .command('kills')
  .description('uploads to six kinds of services, killed at aimed and random moments and run again')
  .option('--rounds <n>', 'kills on each service, of each size', wholeNumber, 8)
  .option('--what <name>', 'kill a command that writes this file (or all of them), not uploads')
  .option(
    '--sizes <sizes>',
    'sizes of the large files',
    byteSizes,
    [1, 8, 30, 60, 100, 500].map((size) => size * 2 ** 20),
  )
  .option('--only <text>', 'only the services whose name holds this, such as 405', '')
  .option('--seed <n>', 'for the random moments', wholeNumber, 1)
  .option('--quick', 'files of 1 and 30 MiB and the small ones')
  .action(async ({what, quick, rounds, sizes, only, seed}) => {
    const {benchFileKills, benchKills} = await import('./kills.js')
    if (what === undefined) return benchKills({rounds, sizes: quick ? byteSizes('1MiB,30MiB') : sizes, only, seed})
    return benchFileKills(what, {rounds, seed})
  })

benchCommand
  .command('cuts')
  .description('uploads to the official tus server through a proxy that cuts connections')
  .option('--cuts <n>', 'connections to cut in all', wholeNumber, 300)
  .option('--seed <n>', 'for the random bytes', wholeNumber, 1)
  .action(async ({cuts, seed}) => (await import('./kills.js')).benchCuts({cuts, seed}))

benchCommand
  .command('all')
  .description('all but kills and cuts, one after another')
  .option('--quick', 'the short form of each: a few minutes on idle cores')
  .action(async ({quick}) => {
    const form = quick ? ['--quick'] : []
    const startup = quick ? ['--runs', '5', '--node', '20', '--no-peers'] : []
    const table = quick ? ['--runs', '2', '--node', '20', '--rooms', '20000'] : []
    const watch = quick ? ['--polls', '1000'] : []
    const all = {startup, table, bulk: form, upload: form, sync: form, scale: form, watch, cases: form}
    for (const [name, flags] of Object.entries(all)) {
      const begun = performance.now()
      await benchCommand.parseAsync([name, ...flags], {from: 'user'})
      console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
    }
  })

await benchCommand.parseAsync()

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('a whole number is needed')
  return Number(text)
}

/** `1GiB`, `256MiB`, `64KiB` or a number of bytes. */
function byteSize(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d*)(|KiB|MiB|GiB)$/.exec(text) ?? []
  if (number === undefined) throw new InvalidArgumentError('a size is needed, such as 256MiB')
  return Number(number) * 1024 ** ['', 'KiB', 'MiB', 'GiB'].indexOf(unit)
}

function byteSizes(text: string): number[] {
  return text.split(',').map(byteSize)
}

function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber)
}
