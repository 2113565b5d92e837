// A process of its own that writes to the journal: FOLDER NAME COUNT SIZE.
import process from 'node:process'
import {appendToJournal, journalIn} from '../../../../src/storage/journal.js'

const [folder = '', name = '', count = '1', size = '0'] = process.argv.slice(2)

// A size limit comes with a signal that would end the process; a full disk has none.
process.on('SIGXFSZ', () => undefined)
try {
  for (let n = 0; n < Number(count); n += 1) {
    appendToJournal(journalIn(folder), {
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
