import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {always, reply, success, terminal} from '../answers.js'

test('lists the files of a room, with sizes and durations for people', async () => {
  const ran = await cli('record list r-retro')
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['POST', '/media/v1/rooms/r-retro/recordings', undefined],
  ])
  expect(ran.stdout).toBe(`FILE                                SIZE  DURATION
recordings/r-retro/part-1.mp4  429.2 MiB   30m 00s
recordings/r-retro/part-2.mp4  243.2 MiB   17m 00s
`)
  expect((await cli('record list r-retro', terminal(80))).stdout).toBe(ran.stdout)
  expect((await cli('record list r-retro', terminal(200))).stdout).toBe(ran.stdout)
})

test('gives exact numbers to programs', async () => {
  expect(JSON.parse((await cli('record list r-retro -o json')).stdout)).toEqual([
    {room_id: 'r-retro', file_name: 'recordings/r-retro/part-1.mp4', file_size: 450004096, duration: 1800000000000},
    {room_id: 'r-retro', file_name: 'recordings/r-retro/part-2.mp4', file_size: 255004096, duration: 1020000000000},
  ])
  expect((await cli('record list r-retro -o csv --columns room_id,file_size')).stdout).toBe(
    'room_id,file_size\nr-retro,450004096\nr-retro,255004096\n',
  )
  expect((await cli('record list r-retro -q')).stdout).toBe(
    'recordings/r-retro/part-1.mp4\nrecordings/r-retro/part-2.mp4\n',
  )
  const sum = await cli(['record', 'list', 'r-retro', '-o', 'json', '--query', 'sum([].file_size)'])
  expect(sum.stdout).toBe('705008192\n')
})

test('gives numbers that a double cannot hold by their digits', async () => {
  const file =
    '{"file_name":"a.mp4","file_size":9007199254740993,"duration":18446744073709551615,"id":9223372036854775807}'
  const transport = always(() => reply(`{"status":"SUCCESS","data":[${file}]}`))
  const list = async (more: string) => (await cli(`record list r-1 ${more}`, {transport})).stdout
  for (const format of ['json', 'ndjson', 'yaml', 'csv']) {
    const shown = await list(`-o ${format}`)
    for (const number of ['9007199254740993', '18446744073709551615']) expect(shown).toContain(number)
    if (format !== 'csv') expect(shown).toContain('9223372036854775807')
  }
  expect(await list('')).toContain('9007199254740993')
  expect(await list('-o json --query [].file_size')).toBe('[\n  9007199254740993\n]\n')
  expect(await list('-o json --sort -file_size')).toContain('9007199254740993')
})

test('a room without files is an empty list', async () => {
  expect(await cli('record list r-townhall -o json')).toMatchObject({exit: 0, stdout: '[]\n', stderr: ''})
  expect(await cli('record list r-townhall')).toMatchObject({exit: 0, stdout: '', stderr: 'no recordings\n'})
  expect((await cli('record list r-townhall', terminal(80))).stderr).toBe('no recordings\n')
})

test('several rooms are read one after the other, also from stdin, each once', async () => {
  const ran = await cli('record list r-retro - r-retro -o json', {stdin: 'r-townhall\nr-retro\n'})
  expect(ran.exit).toBe(0)
  expect(ran.sent.map(({path}) => path)).toEqual([
    '/media/v1/rooms/r-retro/recordings',
    '/media/v1/rooms/r-townhall/recordings',
  ])
  expect(JSON.parse(ran.stdout)).toHaveLength(2)
})

test('the files of several rooms name their room, in CSV also those of one', async () => {
  const named = async (line: string) => {
    const {stdout} = await cli(`record list ${line}`)
    return stdout.split('\n').map((row) => row.split(/\s{2,}|[,\t]/u).slice(0, 2))
  }
  const [one, other] = ['recordings/r-retro/part-1.mp4', 'recordings/r-retro/part-2.mp4'].map((file) => [
    'r-retro',
    file,
  ])
  expect(await named('r-retro r-townhall')).toEqual([['ROOM', 'FILE'], one, other, ['']])
  for (const line of ['r-retro r-townhall -o csv', 'r-retro -o csv', 'r-retro r-townhall -o tsv']) {
    expect(await named(line)).toEqual([['room_id', 'file_name'], one, other, ['']])
  }
})

test('no rooms on stdin are no files', async () => {
  expect(await cli('record list - -o json', {stdin: ''})).toMatchObject({exit: 0, stdout: '[]\n', sent: []})
})

test('sizes and durations that are missing stay empty', async () => {
  const transport = always(() => success([{file_name: 'a.mp4'}, {file_name: 'b.mp4', file_size: null, duration: 0}]))
  const ran = await cli('record list r-1', {transport})
  expect(ran.stdout).not.toMatch(/null|undefined|NaN/)
  expect(JSON.parse((await cli('record list r-1 -o json', {transport})).stdout)[1]).toEqual({
    room_id: 'r-1',
    file_name: 'b.mp4',
    file_size: null,
    duration: 0,
  })
})
