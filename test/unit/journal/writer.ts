// A process of its own that writes to the journal: FOLDER NAME COUNT SIZE.
import {join} from 'node:path'
import process from 'node:process'
import {appendToJournal, journalFile} from '../../../src/journal/journal.js'

const [folder = '', name = '', count = '1', size = '0'] = process.argv.slice(2)

const place = {path: join(folder, journalFile), isShared: false}

// A size limit comes with a signal that would end the process; a full disk has none.
process.on('SIGXFSZ', () => undefined)
try {
  for (let n = 0; n < Number(count); n += 1) {
    appendToJournal(place, {
      at: '2026-12-01T12:00:00.000Z',
      profile: name,
      operation: 'room.end',
      targets: {roomId: `r-${n}`, name: 'x'.repeat(Number(size))},
      outcome: 'done',
    })
  }
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
