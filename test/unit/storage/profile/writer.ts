// A process of its own that changes the profile file, bundled by the tests that need many of them.
import {writeSync} from 'node:fs'
import {Failure} from '../../../../src/failure.js'
import {addProfile, setValue} from '../../../../src/storage/profile/edit.js'
import {changeProfileFile} from '../../../../src/storage/profile/write.js'

const [task = '', configDir = '', argument = ''] = process.argv.slice(2)

/** `add NAME`: adds one profile with a value of its own. */
async function add(): Promise<void> {
  await changeProfileFile(configDir, (file) => setValue(addProfile(file, argument), argument, 'requester', argument))
}

/** `grow LENGTH`: sets a value of that length, or prints why it could not. */
async function grow(): Promise<void> {
  // A size limit comes with a signal that would end the process; a full disk has none.
  process.on('SIGXFSZ', () => undefined)
  await changeProfileFile(configDir, (file) => ({
    ...file,
    profiles: {...file.profiles, big: {bizId: 'x'.repeat(Number(argument))}},
  }))
}

const tasks: Record<string, () => Promise<void>> = {add, grow}

tasks[task]?.().catch((error: unknown) => {
  const problem = error instanceof Failure ? error : undefined
  writeSync(2, problem ? `${problem.message}\n${problem.facts.why}\n` : `not a problem: ${String(error)}\n`)
  process.exitCode = 1
})
