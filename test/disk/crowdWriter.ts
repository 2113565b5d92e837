// A process of its own that writes every file that processes share: `HOME NAME`.
import path from 'node:path'
import process from 'node:process'
import {fileStore} from '../../src/sandbox/world/store.js'
import {appendToJournal, journalIn} from '../../src/storage/journal.js'
import {addProfile} from '../../src/storage/profile/edit.js'
import {changeProfileFile} from '../../src/storage/profile/write.js'
import {openLedger} from '../../src/upload/ledger/ledger.js'

const [home = '', name = ''] = process.argv.slice(2)

async function write(): Promise<void> {
  const at = new Date().toISOString()
  appendToJournal(journalIn(path.join(home, 'state')), {
    at,
    profile: 'work',
    operation: 'room.end',
    targets: {roomId: name},
    outcome: 'done',
  })
  await fileStore(path.join(home, 'sandbox')).change((world) => {
    world.rooms[0]?.attendees.push({
      ...{
        user_id: name,
        is_host: false,
        is_present: false,
        is_reserved: true,
        is_invited: false,
        isBlocked: false,
        entered: 0,
      },
    })
  })
  const ledger = await openLedger(path.join(home, 'state/uploads'), {now: () => new Date()})
  const claim = await ledger.claim(name)
  claim.begin({
    ...{base: 'https://assets.example.com', container: 'games/foo', name: `${name}.bin`, platform: 'ios'},
    ...{description: 'd', path: `/${name}`, size: 1, sample: 's', stamp: {ino: '1', mtimeNs: '2', ctimeNs: '3'}},
  })
  claim.done({uuid: name, sha256: null})
  claim.release()
  await ledger.close()
  await changeProfileFile(path.join(home, 'config'), (file) => addProfile(file, name))
}

void write()
