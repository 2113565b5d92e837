import {spawn} from 'node:child_process'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {expect, test} from 'vitest'
import {systemKeyring} from '../../../../src/storage/profile/keyring.js'
import {ended} from '../../../support/ended.js'
import {freshFolder} from '../../../support/folder.js'
import {rejectionOf, textOf} from './folder.js'

test('a locked keyring is reported, and the error repeats nothing of it', async () => {
  const refuse = () => Promise.reject(new Error('no result found for hunter2'))
  const keyring = systemKeyring(1000, async () => ({
    getPassword: refuse,
    setPassword: refuse,
    deletePassword: refuse,
  }))
  for (const call of [keyring.get('a'), keyring.set('a', 'hunter2'), keyring.delete('a')]) {
    const problem = await rejectionOf(call)
    expect(problem.facts.exit).toBe('configuration')
    expect(problem.message).toBe('the keyring of this machine is not available')
    expect(problem.facts.why).toBe('access was refused; it is probably locked')
    expect(problem.facts.try).toContain('roomctl config set tokenStore file')
    expect(textOf(problem)).not.toContain('hunter2')
  }
})

test('a keyring that never answers is an error after a time limit', async () => {
  const signals: AbortSignal[] = []
  const hang = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<never>(() => undefined)
  }
  const keyring = systemKeyring(20, async () => ({
    getPassword: hang,
    setPassword: (_, signal) => hang(signal),
    deletePassword: hang,
  }))
  for (const call of [keyring.get('a'), keyring.set('a', 'b'), keyring.delete('a')]) {
    expect((await rejectionOf(call)).facts.why).toContain('did not answer within 0.02 s')
  }
  expect(signals.map(({aborted}) => aborted)).toEqual([true, true, true])
})

test('on a machine without a secret service the real package fails with a sentence', async () => {
  const folder = freshFolder()
  const script = join(folder, 'keyring.mjs')
  const source = fileURLToPath(new URL('../../../../src/storage/profile/keyring.ts', import.meta.url))
  const keyringPackage = fileURLToPath(import.meta.resolve('@napi-rs/keyring'))
  await build({
    stdin: {
      contents: `import {systemKeyring} from ${JSON.stringify(source)}
        systemKeyring().get('roomctl test').then(
          () => console.log('no problem'),
          (problem) => console.log(JSON.stringify(problem.facts)),
        )`,
      resolveDir: folder,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    alias: {'@napi-rs/keyring': keyringPackage},
    external: [keyringPackage],
    logLevel: 'error',
  })
  // A bus address that leads nowhere: the same on a desktop as on a server.
  const env = {...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'no-bus')}`}
  const {stdout, stderr} = await ended(spawn(process.execPath, [script], {env, stdio: ['ignore', 'pipe', 'pipe']}))
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({
    exit: 'configuration',
    message: 'the keyring of this machine is not available',
    why: 'no secret service is running, as on a machine without a desktop',
  })
})

test('the error names the optional package if it is missing', async () => {
  const folder = freshFolder()
  const script = join(folder, 'keyring.mjs')
  // Bundled into a folder from which the package cannot be found.
  await build({
    entryPoints: [fileURLToPath(new URL('../../../../src/storage/profile/keyring.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    external: ['@napi-rs/keyring'],
    logLevel: 'error',
  })
  const code = `import(${JSON.stringify(script)})
    .then(({systemKeyring}) => systemKeyring().get('a'))
    .catch((problem) => console.log(problem.facts.why))`
  const {stdout} = await ended(spawn(process.execPath, ['-e', code], {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']}))
  expect(stdout.trim()).toBe(
    'the optional package @napi-rs/keyring is missing; the single file of roomctl cannot load it',
  )
})
