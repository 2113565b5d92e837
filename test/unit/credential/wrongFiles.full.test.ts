import {execFileSync} from 'node:child_process'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {inspect} from '../../../src/credential/inspect.js'
import {everyCase} from '../../support/everyCase.js'
import {freshFolder} from '../../support/folder.js'
import {Openssl} from '../../support/openssl.js'
import {type WrongFile, wrongFiles} from './wrongFiles.js'

const openssl = new Openssl()
const options = {now: new Date('2026-12-01T12:00:00Z'), password: 'secret'}

test('the advised command for a wrong file makes the right one, whatever the folder name', () =>
  everyCase(
    wrongFiles.filter(({advice}) => typeof advice !== 'string').map((row) => [row.what, row] as const),
    async (_, {file, make, advice}: WrongFile) => {
      const folder = path.join(freshFolder(), "o'ne two")
      mkdirSync(folder)
      const at = path.join(folder, file)
      writeFileSync(at, make(openssl))
      writeFileSync(path.join(folder, 'aps.cer'), openssl.run(['x509', '-outform', 'DER'], openssl.certificate()))
      const [result] = (await inspect(at, readFileSync(at), options)).findings
      const command = result?.try?.replace(/^.*, then: /u, '') ?? ''
      execFileSync('sh', ['-c', `${command} ${[...advice].join(' ')}`], {cwd: folder, stdio: 'ignore'})
      const [made = ''] = readdirSync(folder).filter((name) => name.includes('new'))
      const right = await inspect(made, readFileSync(path.join(folder, made)), options)
      expect(right.findings.filter(({level}) => level === 'error')).toEqual([])
    },
  ))
