import {existsSync, readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {sendJson, serve} from '../stories/service.js'
import {cli, freshHome} from '../support/cli.js'
import {environmentOf, steers} from './stage.js'

/** test/unit/upload/download/fileName.test.ts has more. */
const names: Readonly<Record<string, string>> = {
  'climbs out of the folder': '../../../owned',
  'climbs out as Windows does': '..\\..\\owned.txt',
  'holds a NUL': 'a\u0000b.txt',
  'steers the terminal': 'x\u001b[2J\u001b]52;c;cHduZWQ=\u0007\u009b31m\u202e\u200b\u2028\r\b\ud800\u{e0041}z.txt',
  'is 100,000 characters long': `${'n'.repeat(1e5)}.bundle`,
  'is the prototype': '__proto__',
}

test.each(Object.entries(names))(
  'a file name of the service that %s stays in the folder, as one plain file',
  async (_, originalFileName) => {
    const service = await serve((asked, response) => {
      if (asked.includes('type=meta')) sendJson(response, {uuid: 'u-1', originalFileName})
      else response.end('bytes')
    })
    const home = freshHome()
    const out = path.join(home, 'here/out')
    const line = ['asset', 'download', 'games/u-1', '--dir', out]
    const ran = await cli(line, {env: environmentOf(service.url), store: memoryStore(), home})
    expect(ran.exit).toBe(0)
    expect(ran.stdout + ran.stderr).not.toMatch(steers)
    expect(readdirSync(path.join(home, 'here'))).toEqual(['out'])
    const [file = '', ...others] = readdirSync(out)
    expect(others).toEqual([])
    expect(file).toMatch(/^[^./\\-][^/\\]{0,199}$/)
    expect(file).not.toMatch(steers)
    expect(readFileSync(path.join(out, file), 'utf8')).toBe('bytes')
    expect(existsSync(path.join(home, 'owned'))).toBe(false)
  },
)
