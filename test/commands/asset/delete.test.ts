import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {terminal} from '../answers.js'

describe('asset delete', () => {
  test('says that the service does not offer it, and sends nothing', async () => {
    const ran = await cli('asset delete games/archive')
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: [], asked: []})
    expect(ran.stderr).toBe(
      'error: cannot delete games/archive: the asset service does not offer it; nothing was sent\n' +
        '  why: its document calls DELETE of a container work in progress, and has none for a resource\n' +
        '  try: roomctl asset describe CONTAINER TEXT can mark a container as no longer used\n',
    )
  })

  test('says the same whatever is named', () =>
    everyCase(
      [
        ['asset', 'delete'],
        ['asset', 'delete', 'games/a', 'games/b'],
        ['asset', 'delete', '../x'],
        ['asset', 'delete', 'games/puzzle/a-level1'],
      ],
      async (...words) => {
        const ran = await cli(words, terminal(80))
        expect(ran).toMatchObject({exit: 2, stdout: '', sent: [], asked: []})
        expect(ran.stderr).toContain('the asset service does not offer it')
      },
    ))

  test('says so to programs', async () => {
    const ran = await cli('asset delete games/archive -o json')
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'not-offered', outcome: 'none', exit_code: 2})
  })

  test('needs no address and no token', async () => {
    expect(await cli('asset delete games', {env: {ROOMCTL_PROFILE: ''}})).toMatchObject({exit: 2, sent: []})
  })
})
