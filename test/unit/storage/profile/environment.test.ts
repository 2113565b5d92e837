import {expect, test} from 'vitest'
import {userPaths} from '../../../../src/storage/profile/resolve.js'

const home = '/home/alice'

test('without any variable the folders are those of the XDG specification', () => {
  expect(userPaths({}, home, 'linux')).toEqual({
    config: '/home/alice/.config/roomctl',
    cache: '/home/alice/.cache/roomctl',
    state: '/home/alice/.local/state/roomctl',
    sandbox: '/home/alice/.local/share/roomctl/sandbox',
  })
})

test('the XDG variables move them, relative and empty ones do not count', () => {
  const env = {XDG_CONFIG_HOME: '/x/c', XDG_CACHE_HOME: '/x/k', XDG_STATE_HOME: 'relative', XDG_DATA_HOME: ''}
  expect(userPaths(env, home, 'darwin')).toEqual({
    config: '/x/c/roomctl',
    cache: '/x/k/roomctl',
    state: '/home/alice/.local/state/roomctl',
    sandbox: '/home/alice/.local/share/roomctl/sandbox',
  })
})

test('the own variables win and name the folder itself', () => {
  const env = {ROOMCTL_CONFIG_DIR: '/own/', ROOMCTL_CACHE_DIR: '/k', ROOMCTL_STATE_DIR: '', XDG_CONFIG_HOME: '/x'}
  const {config, cache, state} = userPaths(env, home, 'linux')
  expect({config, cache, state}).toEqual({config: '/own', cache: '/k', state: '/home/alice/.local/state/roomctl'})
})

test('on Windows they are below the local application data', () => {
  const windows = userPaths({LOCALAPPDATA: 'C:\\Local'}, 'C:\\Users\\alice', 'win32')
  expect(windows.config).toBe('C:\\Local\\roomctl\\config')
  expect(windows.sandbox).toBe('C:\\Local\\roomctl\\data\\sandbox')
  const {cache} = userPaths({}, 'C:\\Users\\alice', 'win32')
  expect(cache).toBe('C:\\Users\\alice\\AppData\\Local\\roomctl\\cache')
  expect(userPaths({LOCALAPPDATA: 'local'}, 'C:\\Users\\alice', 'win32').cache).toBe(cache)
})
