import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'

// What people type who know kubectl, gh, aws and the like.
test.each([
  ['attendee unblock r-1 ben', 'roomctl attendee restore'],
  ['attendee kick r-1 ben', 'roomctl attendee block'],
  ['attendee remove r-1 ben', 'roomctl attendee block'],
  ['attendee ban r-1 ben', 'roomctl attendee block'],
  ['room ls', 'roomctl room list'],
  ['room rm r-1', 'roomctl room delete'],
  ['room remove r-1', 'roomctl room delete'],
  ['room close r-1', 'roomctl room end'],
  ['room stop r-1', 'roomctl room end'],
  ['room kill r-1', 'roomctl room end'],
  ['room get r-1', 'roomctl room show'],
  ['room describe r-1', 'roomctl room show'],
  ['asset ls games', 'roomctl asset list'],
  ['login', 'roomctl config login'],
  ['auth login', 'roomctl config login'],
  ['whoami', 'roomctl config current, or roomctl doctor'],
  ['status', 'roomctl config current, or roomctl doctor'],
  ['config use-context live', 'roomctl config profile use'],
  ['use-context live', 'roomctl config profile use'],
  ['upload a.bundle', 'roomctl asset upload'],
  ['sync dist', 'roomctl asset sync'],
  ['download games', 'roomctl asset download'],
  ['docs', 'roomctl help'],
  ['update', 'roomctl room update, or roomctl config app update'],
  ['get rooms', 'roomctl room list'],
  ['get room r-1', 'roomctl room show'],
  ['rooms', 'roomctl room'],
  ['rooms list', 'roomctl room list'],
  ['delete room r-1', 'roomctl room delete'],
  ['push list', 'roomctl push records, or roomctl push show'],
  ['profile list', 'roomctl config profile list'],
  ['user block r-1 ben', 'roomctl attendee block'],
  ['help room rm', 'roomctl help room delete'],
])('%s is answered with the command that is meant, which is not run', async (line, advice) => {
  const ran = await cli(line)
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain(`  try: ${advice}\n`)
})
