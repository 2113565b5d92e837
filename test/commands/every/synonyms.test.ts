import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'

// Habits from kubectl, gh, aws and the like.
test.each([
  ['attendee unblock r-1 ben', 'roomctl attendee restore r-1 ben'],
  ['attendee kick r-1 ben', 'roomctl attendee block r-1 ben'],
  ['attendee remove r-1 ben', 'roomctl attendee block r-1 ben'],
  ['attendee ban r-1 ben', 'roomctl attendee block r-1 ben'],
  ['room ls', 'roomctl room list'],
  ['room rm r-1', 'roomctl room delete r-1'],
  ['room remove r-1', 'roomctl room delete r-1'],
  ['room close r-1', 'roomctl room end r-1'],
  ['room stop r-1', 'roomctl room end r-1'],
  ['room kill r-1', 'roomctl room end r-1'],
  ['room get r-1', 'roomctl room show r-1'],
  ['room describe r-1', 'roomctl room show r-1'],
  ['asset ls games', 'roomctl asset list games'],
  ['login', 'roomctl config login'],
  ['auth login', 'roomctl config login'],
  ['whoami', 'roomctl config list, or: roomctl doctor'],
  ['status', 'roomctl config list, or: roomctl doctor'],
  ['config use-context live', 'roomctl config profile use live'],
  ['use-context live', 'roomctl config profile use live'],
  ['upload a.bundle', 'roomctl asset upload a.bundle'],
  ['sync dist', 'roomctl asset sync dist'],
  ['download games', 'roomctl asset download games'],
  ['docs', 'roomctl help'],
  ['man selectors', 'roomctl help selectors'],
  [
    'update',
    'install the newer version as this one was installed; to change a room: roomctl room update ROOM --name NAME',
  ],
  ['autocomplete', 'roomctl completion'],
  ['config auth', 'roomctl config login'],
  ['config whoami', 'roomctl config list'],
  ['config update requester ann', 'roomctl config set requester ann'],
  ['ls', 'roomctl room list'],
  ['why r-1 ben', 'roomctl attendee why r-1 ben'],
  ['demo', 'roomctl sandbox seed'],
  ['sandbox serve --port 0', 'roomctl sandbox start --port 0'],
  ['get rooms', 'roomctl room list'],
  ['get room r-1', 'roomctl room show r-1'],
  ['rooms', 'roomctl room'],
  ['rooms list', 'roomctl room list'],
  ['delete room r-1', 'roomctl room delete r-1'],
  ['push list', 'roomctl push records, or: roomctl push show'],
  ['profile list', 'roomctl config profile list'],
  ['user block r-1 ben', 'roomctl attendee block r-1 ben'],
  ['help room rm', 'roomctl help room delete'],
])('%s is answered with the command that is meant, which is not run', async (line, advice) => {
  const ran = await cli(line)
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain(`  try: ${advice}\n`)
})
