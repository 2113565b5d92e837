import {expect, test} from 'vitest'
import {terminal} from '../../answers.js'
import {emptyHome} from '../home.js'

async function oneProfile() {
  const home = emptyHome()
  await home.cli('config profile add old --room-url https://rooms.example.com')
  await home.cli('config login room -p old --no-check', {stdin: 'tok-3n'})
  await home.cli('config profile add live')
  return home
}

test('removes a profile with its tokens', async () => {
  const home = await oneProfile()
  const ran = await home.cli('config profile remove old --yes')
  expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'removed profile old\n'})
  expect(home.file()).toEqual({version: 2, profiles: {live: {}}})
  expect(home.text()).not.toContain('tok-3n')
})

test('leaves another one in use', async () => {
  const home = await oneProfile()
  await home.cli('config profile remove live --yes')
  expect(home.file().current).toBe('old')
})

test('asks for its name', async () => {
  const home = await oneProfile()
  const declined = await home.cli('config profile remove old', terminal(80, ''))
  expect(declined).toMatchObject({exit: 13, stdout: ''})
  expect(declined.asked).toEqual(['Remove profile old (rooms.example.com) with its tokens?\nType "old" to confirm:'])
  expect(Object.keys(home.file().profiles)).toEqual(['old', 'live'])
  expect((await home.cli('config profile remove old', terminal(80, 'old'))).exit).toBe(0)
  expect(Object.keys(home.file().profiles)).toEqual(['live'])
})

test('removes nothing without a terminal, and names the flag', async () => {
  const home = await oneProfile()
  const ran = await home.cli('config profile remove old')
  expect(ran).toMatchObject({exit: 13, stdout: ''})
  expect(ran.stderr).toContain('try: add --yes\n')
  expect(Object.keys(home.file().profiles)).toEqual(['old', 'live'])
})

test('of one that does not exist is refused before anybody is asked', async () => {
  const home = await oneProfile()
  expect(await home.cli('config profile remove odl', terminal(80))).toMatchObject({exit: 2, asked: []})
  expect((await home.cli('config profile remove sandbox --yes')).exit).toBe(2)
})
