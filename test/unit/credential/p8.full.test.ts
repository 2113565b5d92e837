import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {readApnsKey} from '../../../src/credential/apnsKey.js'
import {everyCase} from '../../support/everyCase.js'
import {freshFolder} from '../../support/folder.js'
import {keyInOtherLines} from './p8Lines.js'

const good = new TestCredentials().key('p256', 'P-256')

test('the command that is advised for a key in other lines makes the key that was meant', () =>
  everyCase(keyInOtherLines(good), (_, text) => {
    const [finding] = readApnsKey('AuthKey_ABC123DEFG.p8', Buffer.from(text), {}).findings
    const folder = freshFolder()
    writeFileSync(path.join(folder, 'FILE'), text)
    execFileSync('sh', ['-c', finding?.try ?? ''], {cwd: folder})
    expect(readFileSync(path.join(folder, 'AuthKey_KEYID.p8'), 'utf8')).toBe(good)
  }))
