import path from 'node:path'
import {parseArgs} from 'node:util'
import {mutations} from './mutations/list.js'
import {Copy} from './mutations/trial.js'

// Makes each safety mechanism fail in turn, and shows that a test notices: npm run mutations [-- --only NAME]
const {values} = parseArgs({options: {only: {type: 'string', multiple: true}}})
const chosen = values.only ? mutations.filter(({name}) => values.only?.includes(name)) : mutations
const copy = new Copy(path.resolve(import.meta.dirname, '..'))
let unnoticed = 0
try {
  for (const mutation of chosen) {
    const {kind, failed, ran} = copy.try(mutation)
    if (kind !== 'noticed') unnoticed += 1
    console.log(`${kind.padEnd(11)} ${mutation.name.padEnd(24)} ${mutation.breaks} (${failed} of ${ran} tests failed)`)
  }
} finally {
  copy.remove()
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} were noticed`)
process.exitCode = unnoticed === 0 && chosen.length > 0 ? 0 : 1
