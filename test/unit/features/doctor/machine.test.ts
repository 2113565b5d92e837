import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {checkCodeCache, checkCompletion, checkEnvironment, checkNode} from '../../../../src/features/doctor/machine.js'
import {everyCase} from '../../../support/everyCase.js'
import {folders} from './places.js'

const me = process.geteuid?.() ?? 0

describe('Node', () => {
  test('is told by whether it gets fixes on that day', () =>
    everyCase(
      [
        ['v18.20.4', '2026-03-01', 'fail', '20.19'],
        ['v20.18.3', '2026-03-01', 'fail', '20.19'],
        ['v20.19.0', '2026-04-30', 'ok', undefined],
        ['v20.19.0', '2026-05-01', 'ok', 'Node 24'],
        ['v22.22.0', '2026-12-01', 'ok', undefined],
        ['v23.1.0', '2026-12-01', 'ok', 'LTS'],
        ['v24.1.0', '2026-12-01', 'ok', undefined],
        ['v26.0.0', '2026-12-01', 'ok', undefined],
      ],
      (version, day, state, fix) => {
        const found = checkNode(version, new Date(day))
        expect(found.state).toBe(state)
        if (fix === undefined) expect(found.fix).toBeNull()
        else expect(found.fix).toContain(fix)
      },
    ))
})

describe('the environment', () => {
  test('is well where nothing is set, or nothing that matters', () => {
    expect(checkEnvironment({NODE_TLS_REJECT_UNAUTHORIZED: '1', ALL_PROXY: ''})).toMatchObject([{state: 'ok'}])
  })

  test('is told where it changes how roomctl connects', () =>
    everyCase(
      [
        [{ALL_PROXY: 'socks5://u:canary@127.0.0.1:1'}, 'warn', 'ALL_PROXY is set'],
        [{all_proxy: 'http://127.0.0.1:1'}, 'warn', 'all_proxy is set'],
        [{NODE_TLS_REJECT_UNAUTHORIZED: '0'}, 'warn', 'roomctl still checks certificates'],
        [{NODE_DEBUG: 'http'}, 'warn', 'NODE_DEBUG is set'],
        [{NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem'}, 'fail', 'which cannot be read'],
      ],
      (env, state, what) => {
        const found = checkEnvironment(env)
        expect(found).toMatchObject([{state, what: expect.stringContaining(what), fix: expect.any(String)}])
        expect(JSON.stringify(found)).not.toContain('canary')
      },
    ))

  test('names a file that contains no PEM certificate', () => {
    const {root} = folders()
    writeFileSync(path.join(root, 'ca.pem'), 'nothing')
    expect(checkEnvironment({NODE_EXTRA_CA_CERTS: path.join(root, 'ca.pem')})).toMatchObject([
      {state: 'fail', what: expect.stringContaining('contains no PEM certificate')},
    ])
  })
})

describe('the code cache', () => {
  const version = 'v20.20.0'

  test('is in use, or will be', () => {
    const {state: folder} = folders()
    expect(checkCodeCache({env: {}, folder}, version, me)).toMatchObject({state: 'ok', fix: expect.any(String)})
    writeFileSync(path.join(folder, `code-abc-${version}-x64.bin`), '')
    expect(checkCodeCache({env: {}, folder}, version, me)).toMatchObject({state: 'ok', fix: null})
    expect(checkCodeCache({env: {}, folder}, 'v24.1.0', me).fix).not.toBeNull()
  })

  test('is not used where others can write to it, it is of another user, or its path is relative', () => {
    const {state: folder} = folders()
    expect(checkCodeCache({env: {}, folder}, version, me + 1)).toMatchObject({
      state: 'warn',
      fix: `sudo chown -R ${me + 1} ${folder}`,
    })
    chmodSync(folder, 0o770)
    expect(checkCodeCache({env: {}, folder}, version, me)).toMatchObject({state: 'warn', fix: `chmod go-w ${folder}`})
    expect(checkCodeCache({env: {ROOMCTL_CACHE_DIR: 'here'}, folder}, version, me)).toMatchObject({state: 'warn'})
  })
})

describe('completion', () => {
  const platform = 'linux'

  test.each([
    ['/bin/bash', '.local/share/bash-completion/completions/roomctl'],
    ['/usr/bin/fish', '.config/fish/completions/roomctl.fish'],
  ])('of %s is looked for in %s', (shell, place) => {
    const {root: home} = folders()
    const asked = {env: {SHELL: shell}, home, platform}
    const [missing] = checkCompletion(asked)
    expect(missing).toMatchObject({state: 'ok', fix: `roomctl completion ${path.basename(shell)} --install`})
    const file = put(home, place)
    expect(checkCompletion(asked)).toMatchObject([{state: 'ok', fix: null, details: {path: file}}])
  })

  test('of zsh needs the line that names its folder', () => {
    const {root: home} = folders()
    const asked = {env: {SHELL: '/usr/bin/zsh'}, home, platform}
    const file = put(home, '.local/share/zsh/site-functions/_roomctl')
    const [unread] = checkCompletion(asked)
    expect(unread).toMatchObject({
      state: 'ok',
      fix: expect.stringContaining(`add to ${path.join(home, '.zshrc')}: fpath=`),
    })
    writeFileSync(path.join(home, '.zshrc'), `fpath=(${path.dirname(file)} $fpath)\n`)
    expect(checkCompletion(asked)).toMatchObject([{state: 'ok', fix: null}])
  })

  test('of a shell that is not known has no line', () => {
    for (const SHELL of [undefined, '', '/bin/dash', '/bin/constructor']) {
      expect(checkCompletion({env: {SHELL}, home: '/', platform})).toEqual([])
    }
  })

  function put(home: string, place: string): string {
    const file = path.join(home, place)
    mkdirSync(path.dirname(file), {recursive: true})
    writeFileSync(file, '')
    return file
  }
})
