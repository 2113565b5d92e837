import {describe, expect, test} from 'vitest'
import {cli, demoStore} from '../../../support/cli.js'
import {readSandboxStatus} from '../../../support/sandboxStatus.js'

test('sends the fields that were given, by their document names', async () => {
  const store = await demoStore()
  const flags = '--max 50 --no-joinable --host first --elect-host --no-download-record'
  const ran = await cli(`config app create --application-id app-1 ${flags}`, {store})
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    asked: [],
    stdout: 'created the configuration of application app-1\n',
  })
  const values = {
    config_max_attendee_count: 50,
    config_is_joinable_view: false,
    config_host_selection_type: 'FIRST_ENTER_USER',
    config_is_elect_host: true,
    config_is_download_record: false,
  }
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['POST', '/media/v1/applications/app-1/config', values],
  ])
  expect((await readSandboxStatus(store)).configuration).toEqual({application_id: 'app-1', values})
})

test('may send none, for all are optional', async () => {
  const ran = await cli('config app create --application-id app-1 -o json')
  expect(ran.sent[0]?.body).toEqual({})
  expect(JSON.parse(ran.stdout)).toEqual({application_id: 'app-1'})
  expect((await cli('config app create --application-id app-1 -q')).stdout).toBe('app-1\n')
})

describe('the application', () => {
  test('comes from the environment where no flag names it', async () => {
    const ran = await cli('config app create --host creator', {env: {ROOMCTL_APPLICATION_ID: 'app 2'}})
    expect(ran.sent[0]).toMatchObject({
      path: '/media/v1/applications/app%202/config',
      body: {config_host_selection_type: 'CREATOR'},
    })
  })

  test('must be named', async () => {
    const ran = await cli('config app create --max 5')
    expect(ran).toMatchObject({exit: 3, stdout: '', sent: []})
    expect(ran.stderr).toContain('try: add --application-id, or set ROOMCTL_APPLICATION_ID\n')
    expect(await cli(['config', 'app', 'create', '--application-id', ''])).toMatchObject({exit: 2, sent: []})
    expect(await cli('config app create --application-id ..')).toMatchObject({exit: 2, sent: []})
  })
})
