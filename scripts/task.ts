import path from 'node:path'
import {Command} from 'commander'

// Every task of a developer: `npm run task -- --help` lists them. A task loads its modules when it is called.
const root = path.resolve(import.meta.dirname, '..')
const program = new Command('task').description('Developer tasks: npm run task -- <task>').showHelpAfterError()

program
  .command('build')
  .description('build dist/: the bundles, the manifest, the man pages')
  .action(async () => (await import('./build.js')).buildAll(root))

program
  .command('docs')
  .description('build, then generate the pages of docs/')
  .option('--check', 'say which pages are stale, and write nothing')
  .action(async ({check = false}: {check?: boolean}) => {
    await (await import('./build.js')).buildAll(root)
    await (await import('./docs/files.js')).refreshPages(root, {check})
  })

program
  .command('fields')
  .description('build, run the tests of commands, and write docs/fields.json from the JSON answers that they see')
  .action(async () => {
    await (await import('./build.js')).buildAll(root)
    await (await import('./fields/write.js')).writeFields(root)
  })

program
  .command('price')
  .description('show the lines of src that only one command reaches, beside their ceilings')
  .option('--write', 'set every ceiling to the price')
  .action(async ({write = false}: {write?: boolean}) => (await import('./price.js')).showPrices(root, {write}))

program
  .command('recording')
  .description('record the built tool on a terminal, as the SVG of the README; needs python3 and bash')
  .action(async () => (await import('./recording.js')).refreshRecording(root))

program
  .command('demo')
  .description('play one working day with the built tool on the embedded sandbox')
  .action(async () => {
    const [{day}, {play}] = await Promise.all([import('./demo/day.js'), import('./demo/play.js')])
    const inColour = process.stdout.isTTY && !process.env.NO_COLOR
    process.exitCode = await play(day, {root, inColour, print: (text) => console.log(text)})
  })

program
  .command('size')
  .description('count src/ by files, lines, names, cycles and words; and the files that run for a command')
  .option('--details', 'name what is counted')
  .option('--command <lines...>', 'also count the files that run for these command lines')
  .action(async ({details = false, command = []}: {details?: boolean; command?: string[]}) => {
    const [{measureSize, sizeTable, loadedTable}, {countedLines, loadedFiles}] = await Promise.all([
      import('./size.js'),
      import('./loaded.js'),
    ])
    console.log(sizeTable(measureSize(root), {details}))
    await (await import('./build.js')).buildAll(root)
    console.log(loadedTable(await loadedFiles(root, [...countedLines, ...command]), {details}))
  })

program
  .command('help-size')
  .description('build, then count pages, lines, median and largest of the help at 80 columns')
  .option('--details', 'name every page with its lines')
  .action(async ({details = false}: {details?: boolean}) => {
    await (await import('./build.js')).buildAll(root)
    const {helpTable, measureHelp} = await import('./helpSize.js')
    console.log(helpTable(measureHelp(root), {details}))
  })

program
  .command('mutations')
  .description('take each safety mechanism away in turn, and show whether a test notices')
  .option('--only <names...>', 'only these mutations')
  .action(async ({only}: {only?: string[]}) => (await import('./mutations/trial.js')).tryMutations(root, only))

program
  .command('newcomer')
  .description(
    'add an operation, a layout and a field of a room to copies, and show what the compiler and the tests miss',
  )
  .option('--tests <files...>', 'the tests to run, in place of those of all operations and commands')
  .option('--only <part>', 'operation, or value: the layout and the field alone')
  .action(async ({tests, only}: {tests?: string[]; only?: string}) => {
    const {addOperation, addValueAndField} = await import('./newcomer.js')
    if (only !== 'value') addOperation(root, tests)
    if (only !== 'operation') addValueAndField(root, tests)
  })

program
  .command('pack')
  .description('pack what is built into the tarball that is published')
  .argument('[folder]', 'the folder to write it to', '.')
  .option('--pin', 'write its digest into package.sha256, by which the action and the template install it')
  .action(async (folder: string, {pin = false}: {pin?: boolean}) => {
    const {pack, pinTarball} = await import('./pack.js')
    const {tarball} = pack(root, folder)
    if (pin) pinTarball(root, tarball)
    console.log(tarball)
  })

program
  .command('binary')
  .description('build the single file, which needs no Node: out/roomctl, or out/roomctl.exe')
  .argument('[target]', 'linux-x64, linux-arm64, win-x64; on macOS darwin-arm64 and darwin-x64 (default: this machine)')
  .option(
    '--archive',
    'write the archives of a release beside it (.tar.gz and .tar.xz, or .zip), and the bill of materials',
  )
  .action(async (given: string | undefined, {archive = false}: {archive?: boolean}) => {
    const [{buildExecutable}, {writeArchives}, {writeBinaryBill}, {ownTarget}, {buildAll}] = await Promise.all([
      import('./binary/build.js'),
      import('./binary/archive.js'),
      import('./binary/bill.js'),
      import('./binary/targets.js'),
      import('./build.js'),
    ])
    const [target, folder] = [given ?? ownTarget, path.join(root, 'out')]
    await buildAll(root)
    const file = await buildExecutable(root, target, folder)
    const forRelease = archive
      ? [...writeArchives(root, target, file, folder), writeBinaryBill(root, target, folder)]
      : []
    for (const one of [file, ...forRelease]) console.log(path.relative(root, one))
  })

program
  .command('windows')
  .description('build, and run about 40 commands with the Windows build of Node under wine (Debian: wine, wine64)')
  .action(async () => {
    await (await import('./build.js')).buildAll(root)
    const wrong = await (await import('./windows/run.js')).runOnWindows(root, (line) => console.log(line))
    console.log(wrong === 0 ? 'all as on Linux' : `${wrong} otherwise than they should be`)
    process.exitCode = wrong === 0 ? 0 : 1
  })

program
  .command('release')
  .description('pack, and write the bill of materials, the ways to install and the checksums of a release')
  .argument('[folder]', 'the folder to write them to, which has the archives of the single file', 'out')
  .action(async (folder: string) => (await import('./release/release.js')).writeRelease(root, folder))

program.addHelpText(
  'after',
  () =>
    `\nOptions of the tasks:\n${program.commands.flatMap(optionsOf).join('\n')}\n\nMeasurements: npm run bench -- --help`,
)

await program.parseAsync()

/** A line for each option of a task: `docs --check  say which pages are stale, and write nothing`. */
function optionsOf(task: Command): string[] {
  return task.options.map(({flags, description}) => `  ${`${task.name()} ${flags}`.padEnd(34)} ${description}`)
}
