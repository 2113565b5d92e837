import {expect, test} from 'vitest'
import {emptyHome} from './home.js'

test('prints the value that a command would use, whatever it comes from', async () => {
  const home = emptyHome()
  expect((await home.cli('config get timeout')).stdout).toBe('60s\n')
  await home.cli('config set timeout 2m')
  expect((await home.cli('config get timeout')).stdout).toBe('2m\n')
  expect((await home.cli('config get timeout', {env: {ROOMCTL_TIMEOUT: '3m'}})).stdout).toBe('3m\n')
})

test('tells programs the source', async () => {
  const home = emptyHome()
  await home.cli('config set retries 4')
  const source = async (env: Record<string, string> = {}) =>
    JSON.parse((await home.cli('config get retries -o json', {env})).stdout)
  expect(await source()).toEqual({key: 'retries', value: 4, source: 'profile'})
  expect(await source({ROOMCTL_RETRIES: '5'})).toEqual({key: 'retries', value: 5, source: 'env'})
  const unset = await home.cli('config get bizId -o json')
  expect(JSON.parse(unset.stdout)).toEqual({key: 'bizId', value: null, source: 'default'})
})

test('prints nothing where nothing sets it', async () => {
  const home = emptyHome()
  expect(await home.cli('config get bizId')).toMatchObject({exit: 0, stdout: '', stderr: ''})
  expect(await home.cli('config get bizId -q')).toMatchObject({exit: 0, stdout: ''})
  expect((await home.cli('config get retries -q')).stdout).toBe('2\n')
})

test('an unknown key is refused with the nearest', async () => {
  const ran = await emptyHome().cli('config get requestor')
  expect(ran).toMatchObject({exit: 2, stdout: ''})
  expect(ran.stderr).toContain('try: did you mean requester?\n')
})
