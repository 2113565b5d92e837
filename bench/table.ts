import {nodeBinary} from '../scripts/nodes.js'
import {benchFolder, installRoomctl} from './installed.js'
import {measure} from './measure.js'
import {printTable} from './print.js'
import {openWorld} from './world.js'

export interface TableOptions {
  readonly runs: number
  readonly rooms: number
  readonly nodes: readonly number[]
}

/** CPU as a ratio to the floor, by format. */
const aims: Readonly<Record<string, string>> = {ids: '2.0', table: '3.0', json: '3.0', csv: '3.0', ndjson: '3.0'}

/** A long list off a terminal in several formats, as ratios to reading and parsing the same body and no more. */
export async function benchTable({runs, rooms, nodes}: TableOptions): Promise<void> {
  const roomctl = installRoomctl()
  const world = await openWorld(rooms)
  try {
    for (const major of nodes) {
      const node = nodeBinary(major, benchFolder)
      const subjects = Object.keys(aims).map((format) => ({
        name: `room list -o ${format}`,
        argv: [node, roomctl, 'room', 'list', '-o', format],
      }))
      const measured = await measure({floor: [node, '-e', parseOnly(world.url)], subjects, runs, env: world.env})
      printTable(
        `Node ${major}, ${rooms} rooms, ${runs} runs, medians; ratios to a process that reads and parses the same body`,
        ['', 'cpu x', 'aim', 'wall x', 'peak x', 'cpu ms', 'wall ms', 'peak MiB', 'output MB'],
        measured.map((one) => [
          one.name,
          one.cpuRatio.toFixed(2),
          aims[one.name.split(' ').at(-1) ?? ''] ?? '',
          one.wallRatio.toFixed(2),
          one.peakRatio.toFixed(2),
          one.cpuMs.toFixed(0),
          one.wallMs.toFixed(0),
          one.peakMiB.toFixed(0),
          (one.outputBytes / 1e6).toFixed(1),
        ]),
      )
    }
  } finally {
    world.close()
  }
}

/** The floor: one GET, JSON.parse, nothing printed. */
function parseOnly(url: string): string {
  return `require('node:http').get('${url}/v1/rooms', {agent: false}, (answer) => {
    const chunks = []
    answer.on('data', (chunk) => chunks.push(chunk))
    answer.on('end', () => { if (JSON.parse(Buffer.concat(chunks)).data.length < 1) process.exit(1) })
  })`
}
