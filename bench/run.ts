import {Command, InvalidArgumentError} from 'commander'
import {benchStartup} from './startup.js'
import {benchTable} from './table.js'

const program = new Command('bench').description('Measures the installed package: npm run bench -- startup')

program
  .command('startup')
  .description('whole processes as ratios to `node -e 0`')
  .option('--runs <n>', 'runs of each', wholeNumber, 21)
  .option('--node <majors>', 'versions of Node', wholeNumbers, [20, 24])
  .option('--no-peers', 'leave out the programs that have to be installed first')
  .action(({runs, node, peers}) => benchStartup({runs, nodes: node, peers}))

program
  .command('table')
  .description('a long list in several formats, as ratios to JSON.parse of the same body')
  .option('--runs <n>', 'runs of each', wholeNumber, 5)
  .option('--rooms <n>', 'rooms in the list', wholeNumber, 100_000)
  .option('--node <majors>', 'versions of Node', wholeNumbers, [20, 24])
  .action(({runs, rooms, node}) => benchTable({runs, rooms, nodes: node}))

await program.parseAsync()

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('a whole number is needed')
  return Number(text)
}

function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber)
}
