import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {emptyHome} from './home.js'

test('prints the name of the profile in use, and where it comes from', async () => {
  const home = emptyHome()
  await home.cli('config profile add live')
  await home.cli('config profile use live')
  expect(await home.cli('config current')).toMatchObject({exit: 0, stdout: 'live\n', stderr: ''})
  expect(JSON.parse((await home.cli('config current -o json')).stdout)).toEqual({profile: 'live', source: 'profile'})
  expect(await home.cli('config current -p sandbox')).toMatchObject({exit: 0, stdout: 'sandbox\n'})
})

test('prints nothing where no profile is in use, and exits 3', async () => {
  expect(await emptyHome().cli('config current')).toMatchObject({exit: 3, stdout: '', stderr: ''})
  expect(await cli('config current -o json', {env: {ROOMCTL_PROFILE: 'gone'}})).toMatchObject({exit: 3, stdout: ''})
})
