import pLimit from 'p-limit'
import {runAll} from '../../src/selection/pool.js'

// What it costs to have targets wait: `npx tsx bench/peers/lanes.ts lanes|p-limit|none TARGETS`. `none` does nothing with them. Each way
// is a process of its own, since the peak of memory is that of the process.

const [way = '', count = '10000'] = process.argv.slice(2)
const targets = Array.from({length: Number(count)}, (_, at) => `r-${at}`)
const work = () => new Promise<string>((done) => setImmediate(done, 'done'))

const ways: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  none: async () => [],
  lanes: () => runAll(targets, work, {concurrency: 8, stopped: () => undefined, untried: () => ''}),
  'p-limit': () => pLimit(8).map(targets, work),
}

async function main(): Promise<void> {
  const results = (await ways[way]?.()) ?? []
  const {user, system} = process.cpuUsage()
  const peak = process.resourceUsage().maxRSS / 1024
  process.stdout.write(
    `${way}: ${results.length} results, ${Math.round((user + system) / 1000)} ms of CPU, ${Math.round(peak)} MiB\n`,
  )
}

void main()
