import {expect, test} from 'vitest'
import {cli} from '../../../support/cli.js'
import {readSandboxStatus} from '../../../support/sandboxStatus.js'
import {readyFor} from '../../answers.js'

test('sends only the given fields', async () => {
  const store = await readyFor('appConfig.update')
  const ran = await cli('config app update --application-id app-1 --download-record', {store})
  expect(ran).toMatchObject({
    exit: 0,
    stderr: '',
    asked: [],
    stdout: 'updated the configuration of application app-1\n',
  })
  expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
    ['PATCH', '/media/v1/applications/app-1/config', {config_is_download_record: true}],
  ])
  expect((await readSandboxStatus(store)).configuration?.values).toEqual({config_is_download_record: true})
})

test('with nothing to change is not sent', async () => {
  const ran = await cli('config app update --application-id app-1')
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain('no changes given')
})

test('of an application without configuration is not found', async () => {
  const ran = await cli('config app update --application-id app-9 --max 10')
  expect(ran).toMatchObject({exit: 6, stdout: ''})
  expect(ran.stderr).toContain('try: roomctl config app create --application-id app-9')
})
