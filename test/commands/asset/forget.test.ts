import {readdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {openLedger} from '../../../src/upload/ledger/ledger.js'
import {noon} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {cutOff, idOf, known, ledgerFile, part} from './cutOff.js'
import {type Bench, bench, creates} from './uploads.js'

const stays = (what: string) => `the service keeps what it received of ${what}: it cannot delete uploads\n`

/** Two finished uploads and an unfinished one. */
async function three(): Promise<Bench> {
  const own = await bench()
  await own.upload([own.file('a.bundle', 10), own.file('b.bundle', 10)], ['--concurrency', '1'])
  await cutOff(own, [own.file('c.bundle', 2 * part)], 1)
  return own
}

const filesLeft = async (own: Bench) => (await known(own, ['--all'])).map(({file}) => file)

describe('asset forget', () => {
  test('drops an upload, asks nothing and sends nothing; the same file then starts over', async () => {
    const own = await bench()
    const file = own.file('a.bundle', 2 * part)
    await cutOff(own, [file], 1)
    const id = await idOf(own)
    const ran = await own.cli(['asset', 'forget', id])
    expect(ran).toMatchObject({exit: 0, asked: [], sent: [], stderr: stays('the upload')})
    expect(ran.stdout).toBe(`ID                FILE      OUTCOME  ERROR\n${id}  a.bundle  done     -\n`)
    expect(await known(own, ['--all'])).toEqual([])
    expect(creates((await own.upload([file])).sent)).toHaveLength(1)
  })

  test('takes several ids, and those that come on stdin, each once', async () => {
    const own = await three()
    const [a, b, c] = (await known(own, ['--all'])).map(({id}) => String(id))
    const words = ['asset', 'forget', String(a), '-', String(c), '-o', 'json']
    const {exit, stdout} = await own.cli(words, {stdin: `${b}\n\n${a}\n`})
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toEqual([
      {id: a, file: 'a.bundle', outcome: 'done'},
      {id: b, file: 'b.bundle', outcome: 'done'},
      {id: c, file: 'c.bundle', outcome: 'done'},
    ])
    expect(await filesLeft(own)).toEqual([])
  })

  test('drops finished uploads by their ids, and everything with --all', async () => {
    const own = await three()
    const finished = ['asset', 'uploads', '--all', '-o', 'json', '--query', "[?state=='done'].id", '-r']
    const {stdout: stdin} = await own.cli(finished)
    expect((await own.cli(['asset', 'forget', '-'], {stdin})).stderr).toBe(stays('these 2 uploads'))
    expect(await filesLeft(own)).toEqual(['c.bundle'])
    expect((await own.cli(['asset', 'forget', '--all', '-q'])).stdout).toMatch(/^[0-9a-f]{16}\n$/u)
    expect(await filesLeft(own)).toEqual([])
    expect(await own.cli(['asset', 'forget', '--all', '-o', 'json'])).toMatchObject({
      exit: 0,
      stdout: '[]\n',
      stderr: '',
    })
  })

  test('of an id that is not there ends with 6 and forgets nothing', async () => {
    const own = await three()
    const id = String((await known(own))[0]?.id)
    const wrong = id.replace(/.$/u, (digit) => (digit === '0' ? '1' : '0'))
    const {exit, stderr} = await own.cli(['asset', 'forget', id, wrong])
    expect(exit).toBe(6)
    expect(stderr).toBe(`error: no upload ${wrong} in the ledger\n  try: roomctl asset uploads --all\n`)
    expect(await filesLeft(own)).toHaveLength(3)
  })

  test('asks for the uploads', () =>
    everyCase(
      [
        [[], 'ID is missing'],
        [['--all', 'abc'], 'name uploads, or use --all'],
        [[''], 'ID is empty'],
      ],
      async (words, message) => {
        const own = await three()
        const {exit, stderr} = await own.cli(['asset', 'forget', ...words])
        expect(exit).toBe(2)
        expect(stderr).toContain(message)
        expect(await filesLeft(own)).toHaveLength(3)
      },
    ))

  test('leaves an upload alone that another process works on', async () => {
    const own = await three()
    const id = await idOf(own)
    const elsewhere = await openLedger(dirname(ledgerFile(own)), {now: () => noon})
    await elsewhere.claim(id)
    const alone = await own.cli(['asset', 'forget', id])
    expect(alone).toMatchObject({exit: 7, stdout: ''})
    expect(alone.stderr).toMatch(
      /^error: upload [0-9a-f]{16} is under way in another roomctl\n {2}why: process \d+ on /u,
    )
    const all = await own.cli(['asset', 'forget', '--all', '-o', 'json'])
    expect(all.exit).toBe(11)
    expect(JSON.parse(all.stdout).map(({outcome}: {outcome: string}) => outcome)).toEqual(['done', 'done', 'failed'])
    expect(await filesLeft(own)).toEqual(['c.bundle'])
    await elsewhere.close()
    expect((await own.cli(['asset', 'forget', id])).exit).toBe(0)
    expect(readdirSync(join(dirname(ledgerFile(own)), 'runs'))).toEqual([])
  })
})
