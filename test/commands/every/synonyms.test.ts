import {expect, test} from 'vitest'
import {documentedCommands} from '../../../scripts/docs/commands.js'
import {builtManifest} from '../../support/builtManifest.js'
import {cli} from '../../support/cli.js'

// Habits from kubectl, gh, aws and the like.
test.each([
  ['attendee unblock r-1 ben', 'roomctl attendee restore r-1 ben'],
  ['attendee kick r-1 ben', 'roomctl attendee block r-1 ben'],
  ['room ls', 'roomctl room list'],
  ['room rm r-1', 'roomctl room delete r-1'],
  ['room close r-1', 'roomctl room end r-1'],
  ['room get r-1', 'roomctl room show r-1'],
  ['asset ls games', 'roomctl asset list games'],
  ['login', 'roomctl config login'],
  ['whoami', 'roomctl config list'],
  ['status', 'roomctl doctor'],
  ['config use-context live', 'roomctl config profile use live'],
  ['upload a.bundle', 'roomctl asset upload a.bundle'],
  ['sync dist', 'roomctl asset sync dist'],
  ['download games', 'roomctl asset download games'],
  ['docs', 'roomctl help'],
  ['man selectors', 'roomctl help selectors'],
  ['upgrade', 'install the newer version as this one was installed; room update changes a room'],
  ['config get-contexts', 'roomctl config profile list'],
  ['asset cp src games', 'roomctl asset sync games src'],
  ['asset cp package.json games', 'roomctl asset upload games package.json'],
  ['cp games/puzzle here', 'roomctl asset download games/puzzle --dir here'],
  ['autocomplete', 'roomctl completion'],
  ['config update requester ann', 'roomctl config set requester ann'],
  ['ls', 'roomctl room list'],
  ['why r-1 ben', 'roomctl attendee why r-1 ben'],
  ['demo', 'roomctl sandbox seed'],
  ['sandbox serve --port 0', 'roomctl sandbox start --port 0'],
  ['get room r-1', 'roomctl room show r-1'],
  ['rooms', 'roomctl room'],
  ['delete room r-1', 'roomctl room delete r-1'],
  ['push list', 'roomctl push records'],
  ['profile list', 'roomctl config profile list'],
  ['user block r-1 ben', 'roomctl attendee block r-1 ben'],
  ['help room rm', 'roomctl help room delete'],
])('%s is answered with the command that is meant, which is not run', async (line, advice) => {
  const ran = await cli(line)
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain(`  try: ${advice}\n`)
})

const match = "use --match, as in --match 'test-*'"
const query = 'use --query, with an expression of JMESPath'
test.each([
  ['room end r-1 --force', 'use --yes'],
  ['room end r-1 -f', 'use --yes'],
  ['push broadcast -f', 'use --yes'],
  ['asset download games/x -f', 'use --overwrite'],
  ['room list -w', 'to follow changes of rooms, use room watch'],
  ['room list -A', 'leave it out: without --limit all are shown'],
  ['room end -A', "use --match '*', which selects all rooms"],
  ['room show -A', 'use --profile, which names a deployment'],
  ['push send ann -t Hello', 'use --title'],
  ['room show r-1 -n live', 'use --profile, which names a deployment'],
  ['history -n 5', 'use --limit'],
  ['room list -y', 'leave it out: nothing is asked'],
  ['room list --jq .[0]', query],
  ['room list --fields name', 'use --columns'],
  ['push cancel u-1 --fields name', 'use --columns'],
  ['room list --search stand', match],
  ['room end --name stand', match],
  ['room list standup', "for rooms by their name: roomctl room list --match '*standup*'"],
  ['room end - --jobs 4', 'use --concurrency'],
  ['room end - -j 4', 'use --concurrency'],
  ['room list --verbose', 'use --debug'],
  ['push send --to ann', 'name the users as arguments, without --to'],
  ['push send ann --message hi', 'use --body'],
  ['room send r-1 --message hi', 'the data is an argument after the room, without a flag'],
  ['history --failed', 'use --outcome failed'],
  ['room list --format json', 'use --output'],
  ['room list --filter x', "use --match, as in --match 'test-*'"],
  ['room end --all', "use --match '*', which selects all rooms"],
  ['room list --all', 'leave it out: without --limit all are shown'],
  ['push send ann --at +2h', 'to send to all users at a time, use push broadcast, which takes --at'],
])('%s is answered with the flag or argument that is meant', async (line, advice) => {
  const ran = await cli(line)
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain(`  try: ${advice}\n`)
})

test('an unknown short flag that resembles no other tool is named without advice', async () => {
  for (const flag of ['-x', '-z', '-K']) {
    expect((await cli(`room list ${flag}`)).stderr).toBe(
      `error: unknown flag ${flag}\n  see: roomctl room list --help\n`,
    )
  }
})

test('every command that changes something takes --yes, and says what it does not answer', async () => {
  const local = /^(?:config (?:set|unset|login|logout|profile (?:add|use|remove|import))|asset forget|sandbox)\b/u
  const changing = documentedCommands(await builtManifest()).filter(({name, changes}) => changes || local.test(name))
  const takesYes = changing.filter(({flags, common}) => [...flags, ...common].some(({name}) => name === 'yes'))
  expect(takesYes).toEqual(changing)
  for (const line of ['room create X --created-by ann -y', 'attendee add r-first zoe --yes', 'sandbox reset -y']) {
    expect(await cli(line)).toMatchObject({exit: 0})
  }
  const ran = await cli('push broadcast --title x --body y --to ANDROID --application-id app-1 --yes')
  expect(ran).toMatchObject({exit: 13, sent: []})
  expect(ran.stderr).toContain(
    '  why: --yes does not answer this question\n  try: add --confirm app-1: the id of the application\n',
  )
})
