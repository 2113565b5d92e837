// A process of its own that appends to a shared log: PATH NAME COUNT compact. Lines on stdout are on the disk.
import {writeSync} from 'node:fs'
import process from 'node:process'
import {Listed} from './foldedLog.js'

const [path = '', name = '', count = '1', compact] = process.argv.slice(2)

async function write(): Promise<void> {
  const one = new Listed(path)
  one.log.open()
  for (let at = 0; at < Number(count); at += 1) {
    const id = `${name}-${at}`
    one.log.append({id, text: 'x'.repeat(300 * (at % 4))})
    // Each is read back at once, among those of the others.
    if (one.records.at(-1)?.id !== id && !one.records.some((record) => record.id === id)) throw new Error(`no ${id}`)
    await one.log.sync()
    writeSync(1, `${id}\n`)
  }
  if (compact) one.log.compact(one.records)
  one.log.close()
}

write().catch((error) => {
  writeSync(2, String(error?.code ?? error))
  process.exitCode = 1
})
