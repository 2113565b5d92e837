import {describe, expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {instead, lost} from '../answers.js'
import {answering, json, takingParents} from './answer.js'

const line = ['asset', 'create', 'games/chess', '--description', 'Chess and its levels']
const body = {type: 'BasicContainer', name: 'chess', description: 'Chess and its levels'}
const isCreation = ({method}: {method: string}) => method === 'POST'

describe('asset create', () => {
  test('makes a container that is there afterwards', async () => {
    const store = await demoStore()
    const made = JSON.parse((await cli([...line, '-o', 'json'], {store})).stdout)
    expect(made).toEqual({
      container: 'games/chess',
      uuid: expect.stringMatching(/\S/),
      uri: '/asset/games/chess/',
      ...body,
    })
    const info = JSON.parse((await cli(['asset', 'info', made.uri, '-o', 'json'], {store})).stdout)
    expect(info).toMatchObject({uuid: made.uuid, ...body})
    expect(await cli([...line], {store})).toMatchObject({exit: 7, stdout: ''})
  })

  test('takes another name and type, and an empty description', async () => {
    const words = ['asset', 'create', 'games/chess', '--description', '', '--name', 'The chess', '--type', 'Other']
    const {sent, exit} = await cli([...words, '-q'])
    expect(exit).toBe(0)
    expect(sent[0]?.body).toEqual({type: 'Other', name: 'The chess', description: ''})
  })

  test('says so where the service takes the path for the parent, and shows where the container is', async () => {
    const store = await demoStore()
    const words = ['asset', 'create', 'games', '--name', 'chess', '--description', '']
    const ran = await cli(words, {store, transport: takingParents(store)})
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toMatch(/^created container games\/chess \(/)
    expect(ran.stderr).toBe('note: the service took games as the parent: the new container is games/chess\n')
    expect(await cli('asset info games/chess -q', {store})).toMatchObject({exit: 0})
  })

  test('reports only the request if the answer has no usable uri', () =>
    everyCase(
      [
        ['no uri', {uuid: 'u-1'}],
        ['a uri elsewhere', {uuid: 'u-1', uri: 'https://evil.test/asset/x/'}],
      ],
      async (_, answer) => {
        const transport = answering({'POST /games/chess/': json(answer, 201)})
        const ran = await cli([...line, '-o', 'json'], {transport})
        expect(ran).toMatchObject({exit: 0, stderr: ''})
        expect(JSON.parse(ran.stdout)).toEqual({uri: null, ...answer, container: 'games/chess', ...body})
      },
    ))

  test('keeps an escaped name unchanged', async () => {
    const transport = answering({'POST /100%2541/': json({uri: '/asset/100%2541/'}, 201)})
    const ran = await cli(['asset', 'create', '100%2541', '--description', 'x', '-o', 'json'], {transport})
    expect(JSON.parse(ran.stdout)).toMatchObject({container: '100%2541', name: '100%41'})
  })

  test('whose answer is lost is not repeated; the error names the command that shows the outcome', async () => {
    const transport = await instead(isCreation, [() => lost('reset', 'maybe')], {applied: true})
    const ran = await cli([...line, '-o', 'json'], {transport})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      outcome: 'unknown',
      retryable: false,
      try: 'before you create it again: roomctl asset info games/chess',
    })
    expect(ran.sent).toHaveLength(1)
  })

  test('needs a description', async () => {
    const ran = await cli('asset create games/chess')
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain('description')
  })

  test('is refused before anything is sent where its arguments are wrong', () =>
    everyCase(
      [
        ['asset', 'create', 'games/..', '--description', 'x'],
        ['asset', 'create', 'games/chess', '--description', 'x', '--name', ''],
        ['asset', 'create', 'games/chess', '--description', 'x', '--type', ''],
        ['asset', 'create', 'games/chess', '--description', 'x', '--columns', 'nonsense'],
      ],
      async (...words) => {
        expect(await cli(words)).toMatchObject({exit: 2, stdout: '', sent: []})
      },
    ))
})

test('a creation that is answered by 404 advises to create the parent, or names the setting', async () => {
  const transport = answering({'GET /games/?type=meta': json({name: 'games', uuid: 'u-1'})})
  const ran = await cli(['asset', 'create', 'games/chess', '--description', "Chess's levels"], {transport})
  expect(ran).toMatchObject({exit: 6, stdout: ''})
  expect(ran.stderr).toContain(
    '  try: create games first, or if it exists, export ROOMCTL_ASSET_CONTAINER_PATH=parent\n',
  )
  const top = await cli(['asset', 'create', 'games', '--description', 'd'], {transport})
  expect(top.stderr).not.toContain('containerPath')
})

test('asset.containerPath parent sends the parent of the container that is typed', async () => {
  const transport = takingParents(await demoStore())
  const env = {ROOMCTL_ASSET_CONTAINER_PATH: 'parent'}
  const ran = await cli(line, {transport, env})
  expect(ran).toMatchObject({exit: 0, stderr: '', sent: [{method: 'POST', path: '/asset/games/', body}]})
  expect(ran.stdout).toMatch(/^created container games\/chess \(/)
  const top = await cli(['asset', 'create', 'chess', '--description', 'd'], {transport, env})
  expect(top).toMatchObject({
    exit: 2,
    sent: [],
    stderr: expect.stringContaining('try: export ROOMCTL_ASSET_CONTAINER_PATH=itself\n'),
  })
})
