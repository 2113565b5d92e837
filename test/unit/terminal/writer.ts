import {OutputWriter} from '../../../src/terminal/output.js'

/** Writes numbered rows until all are out or the reader is gone, then says on stderr how far it came. */
const output = new OutputWriter(process.stdout)
const count = Number(process.argv[2])
let written = 0
while (written < count && !output.closed) {
  written += 1
  await output.write(`row ${written}\n`)
}
await output.write('')
process.stderr.write(JSON.stringify({written, closed: output.closed}))
