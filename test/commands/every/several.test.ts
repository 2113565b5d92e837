import {describe, expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'
import {instead, refusal, terminal} from '../answers.js'

const changesOf = (sent: readonly {readonly method: string; readonly path: string}[]) =>
  sent.filter(({method}) => method !== 'GET').map(({path}) => path)

const end = (id: string) => `/media/v1/rooms/${id}/end`

describe('several rooms', () => {
  test('are changed in their order, each as its own host, with one result each', async () => {
    const ran = await cli('room end r-support r-standup r-test-1 --yes --concurrency 1 -o json')
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-support', outcome: 'done', requester_id: 'carl'},
      {room_id: 'r-standup', outcome: 'done', requester_id: 'ann'},
      {room_id: 'r-test-1', outcome: 'done', requester_id: 'ben'},
    ])
    expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
      ['GET', '/media/v1/rooms/r-support', undefined],
      ['POST', end('r-support'), {requester_id: 'carl'}],
      ['GET', '/media/v1/rooms/r-standup', undefined],
      ['POST', end('r-standup'), {requester_id: 'ann'}],
      ['GET', '/media/v1/rooms/r-test-1', undefined],
      ['POST', end('r-test-1'), {requester_id: 'ben'}],
    ])
  })

  test('may be none: an empty stdin asks nothing and is no failure', async () => {
    expect(await cli('room end - --yes -o json', {stdin: ''})).toMatchObject({
      exit: 0,
      stdout: '[]\n',
      stderr: '',
      sent: [],
    })
    const none = {exit: 0, stdout: '', stderr: 'nothing to change\n', sent: []}
    expect(await cli('room end -', {stdin: '\n\n'})).toMatchObject(none)
    expect(await cli('room end - -q', {stdin: ''})).toMatchObject({...none, stderr: ''})
    expect(await cli('room end - --dry-run -o json', {stdin: ''})).toMatchObject({exit: 0, stdout: '[]\n'})
  })

  test('end with 11 when some failed, and say which and why', async () => {
    const ran = await cli('room end r-standup r-review nope --yes')
    expect(ran.exit).toBe(11)
    expect(ran.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['ID', 'OUTCOME'],
      ['r-standup', 'done'],
      ['r-review', 'failed'],
      ['nope', 'failed'],
      [''],
    ])
    expect(ran.stdout).toMatch(
      /^r-review .* it is IDLE, only a MEETING room can be ended \(ER001\)\nnope .* room nope does not exist/mu,
    )
    expect(ran.stderr).not.toContain('error:')
  })

  test('give programs the whole failure of each', async () => {
    const ran = await cli('room end r-standup r-review --yes -o json')
    expect(ran).toMatchObject({exit: 11, stderr: ''})
    expect(JSON.parse(ran.stdout)[1]).toEqual({
      room_id: 'r-review',
      outcome: 'failed',
      requester_id: null,
      error: {
        code: 'ER001',
        message: 'cannot end room r-review: it is IDLE, only a MEETING room can be ended',
        why: 'everybody has left; the service keeps the room until it is deleted or entered again',
        service_message: 'room r-review is IDLE; this needs MEETING',
        try: 'roomctl room delete r-review',
        http_status: 409,
        body: null,
        retryable: false,
        outcome: 'none',
        exit_code: 7,
      },
    })
  })

  test('print only finished targets with -q', async () => {
    const ran = await cli('room end r-standup r-review r-support --yes -q')
    expect(ran).toMatchObject({exit: 11, stdout: 'r-standup\nr-support\n'})
    expect(ran.stderr).toContain('cannot end room r-review')
  })

  test('are no more than --max, before anything is sent', async () => {
    const ran = await cli('room end r-standup r-support r-review --yes --max 2')
    expect(ran).toMatchObject({exit: 13, stdout: '', sent: []})
    expect(ran.stderr).toBe('error: refusing to change 3 rooms (limit 2); if intended: --max 3\n')
    expect((await cli('room end r-standup r-support --yes --max 2')).exit).toBe(0)
  })

  test('are all shown by --dry-run, which says that the real run refuses them', async () => {
    const ids = Array.from({length: 130}, (_, index) => `r-${index}`).join('\n')
    const ran = await cli('room end - --dry-run -o json', {stdin: ids})
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toHaveLength(130)
    expect(changesOf(ran.sent)).toEqual([])
    expect(ran.stderr).toContain('the real run refuses more than 100 rooms; add --max 130\n')
    const meant = await cli('room end - --dry-run --max 130 -o json', {stdin: ids})
    expect(meant.stderr).not.toContain('real run')
  })

  test('are done as one person with --as, without a read', async () => {
    const ran = await cli('room end r-standup r-review --yes --as ann')
    expect(ran.sent.map(({method}) => method)).toEqual(['POST', 'POST', 'GET'])
  })
})

describe('a single room', () => {
  test('fails with its own exit code and not with 11', async () => {
    expect(await cli('room end nope --yes')).toMatchObject({exit: 6, stdout: ''})
    expect(await cli('room end r-review --yes')).toMatchObject({exit: 7, stdout: ''})
    expect(await cli('room delete r-standup --yes')).toMatchObject({exit: 7, stdout: ''})
    expect(await cli('room end r-standup --yes --as ben')).toMatchObject({exit: 5, stdout: ''})
  })

  test('named twice is one', async () => {
    expect((await cli('room end r-review r-review --yes')).exit).toBe(7)
  })

  test('from stdin is a list of one: its failure is one of the results', async () => {
    const ran = await cli('room end - --yes -o json', {stdin: 'r-review\n'})
    expect(ran.exit).toBe(11)
    expect(JSON.parse(ran.stdout)).toHaveLength(1)
  })
})

describe('the question about several rooms', () => {
  test('shows them and takes the typed count', async () => {
    const ran = await cli('room end r-standup r-support nope', terminal(120, '3'))
    expect(ran.asked).toEqual([
      'End 3 rooms on sandbox (built in)? 1 will be refused (not found).\nType "3" to confirm:',
    ])
    expect(ran.stderr).toContain('Daily standup')
    expect(ran.stderr).toContain('Customer support')
    expect(ran.stderr).toContain('(not found)')
    expect(ran.exit).toBe(11)
    expect(changesOf(ran.sent)).toEqual([end('r-standup'), end('r-support')])
  })

  test('is not prepared by reading rooms without a terminal', async () => {
    const ran = await cli('room end r-standup r-support r-review')
    expect(ran).toMatchObject({exit: 13, stdout: '', sent: []})
    expect(ran.stderr).toContain(
      'error: cannot end 3 rooms (r-standup, r-support, r-review): confirmation required; nothing was sent\n',
    )
    expect(ran.stderr).toContain('  try: add --yes\n')
  })
})

test('the same holds for deletions', async () => {
  const store = await demoStore()
  const ran = await cli('room delete r-townhall r-standup r-arabic --yes -o csv', {store})
  expect(ran.exit).toBe(11)
  expect(ran.stdout.split('\n').map((line) => line.split(',').slice(0, 3).join(' '))).toEqual([
    'room_id outcome requester_id',
    'r-townhall done ann',
    'r-standup failed ',
    'r-arabic done carl',
    '',
  ])
  expect((await cli('room list -q', {store})).stdout).not.toMatch(/townhall|arabic/)
})

test('a code that some answer does not stop the others', async () => {
  const transport = await instead(
    ({url}) => url.pathname === end('r-support'),
    [() => refusal('CE100', 'closed for an hour')],
  )
  const ran = await cli('room end r-standup r-support r-test-1 --yes -o json', {transport})
  expect(JSON.parse(ran.stdout)).toMatchObject([
    {outcome: 'done'},
    {error: {code: 'CE100', retryable: true}},
    {outcome: 'done'},
  ])
})
