import {expect, test} from 'vitest'
import {terminal} from '../../answers.js'
import {emptyHome} from '../home.js'

async function twoProfiles() {
  const home = emptyHome()
  await home.cli('config profile add live --room-url https://rooms.example.com/media')
  await home.cli('config set protected true -p live')
  await home.cli('config profile add test --read-only')
  await home.cli('config login room -p live --no-check', {stdin: 'tok-3n'})
  return home
}

test('shows the profiles, the one in use, and the built-in one', async () => {
  const home = await twoProfiles()
  const ran = await home.cli('config profile list')
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(ran.stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['NAME', 'CURRENT', 'ROOM', 'LOGGED IN', 'PROTECTED', 'READ-ONLY'],
    ['live', 'current', 'https://rooms.example.com/media', 'room', 'protected', '-'],
    ['test', '-', '-', '-', '-', 'read-only'],
    ['sandbox', '-', '-', 'room', '-', '-'],
    [''],
  ])
  expect((await home.cli('config profile list', terminal(120))).stdout).toBe(ran.stdout)
  expect(ran.stdout).not.toContain('tok-3n')
})

test('gives the plain facts to programs', async () => {
  const home = await twoProfiles()
  const rows = JSON.parse((await home.cli('config profile list -o json')).stdout)
  expect(rows[0]).toEqual({
    name: 'live',
    current: true,
    room_url: 'https://rooms.example.com/media',
    protected: true,
    read_only: false,
    logged_in: ['room'],
  })
  expect((await home.cli('config profile list -q')).stdout).toBe('live\ntest\nsandbox\n')
  expect((await home.cli('config profile list -o csv --columns name,current')).stdout).toBe(
    'name,current\nlive,true\ntest,false\nsandbox,false\n',
  )
})

test('on a fresh machine there is the sandbox', async () => {
  expect((await emptyHome().cli('config profile list -q')).stdout).toBe('sandbox\n')
})
