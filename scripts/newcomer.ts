import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {copyCheckout} from './checkoutCopy.js'
import {mutated} from './mutations/trial.js'
import {vitest} from './vitest.js'

/** Insertions into a file: each text precedes an existing one; if that is empty, the file is new. */
type Step = readonly [adds: string, file: string, ...texts: (readonly [before: string, text: string])[]]

const step = (...parts: Step) => parts

/** Where the next part of the record goes. */
const next = '  // The record ends here.\n'
/** The row before which others go. */
const sibling = "  'room.send': "
const record = 'src/api/contract/roomChanges.ts'

const command = `import {lock} from '../../api/contract/roomChanges.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, requesterFlags, roomArg} from '../../cli/flags/flags.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import {mutate} from '../../features/mutation/mutate.js'
import {roomResult} from '../../features/room/roomMutations.js'

export default class RoomLock extends RoomctlCommand {
  static override changes = true
  static override summary = 'Lock a room'
  static override description = 'Only the host can lock a room. Nobody enters a locked room any more.'
  static override args = {room: roomArg}
  static override flags = {...requesterFlags, ...changeFlags}
  static override examples = commandExamples({
    'Lock a room as its host': 'roomctl room lock r-standup',
    'As JSON': 'roomctl room lock r-standup -o json',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomLock)
    const roomId = await pickRoom(session, args.room, lock.id)
    await mutate(session, flags, {
      operation: lock,
      input: () => ({path: {roomId}, body: {}}),
      ...roomResult({done: (room) => \`locked \${room}\`, value: {locked: true}}),
    })
  }
}
`

const documented = `{
  "number": 17, "id": "room.lock", "title": "lock", "method": "POST", "path": "/v1/rooms/{roomId}/lock",
  "pathParameters": ["roomId"], "query": {}, "body": {"requester_id": {"type": "string", "required": "yes"}}, "reply": null, "requester": "host"
}, `

const validity = '{"operation": "room.lock", "RESERVED": "no", "MEETING": "yes", "IDLE": "no", "ENDED": "no"}, '
const errors = '["lock", "CE002", "room or requester record missing"], ["lock", "ER001", "room is not MEETING"], '

/** What an operation of rooms that is in no document needs, in the order in which it is missed. */
const steps: readonly Step[] = [
  step('route and body', record, [
    'const requesterAndUser =',
    `export const lock = roomOperation({
  ...{id: 'room.lock', purpose: 'Lock a room', action: 'lock room {roomId}', source: 'room §17'},
  request: 'POST /v1/rooms/{roomId}/lock', effect: 'state', body: requesterBody, fails: ['CE002', 'ER001'],
  meanings: {CE002: missingRoomOrRequester, CE003: hostOnly},
${next}})

`,
  ]),
  step('who may ask', record, [next, "  requester: 'host',\n"]),
  step('the states', record, [next, "  states: {code: 'ER001', in: onlyMeeting},\n"]),
  step('what it leaves behind', record, [
    next,
    `  change: {
    ...{mayHave: 'room {roomId} may have been locked', ifUnknown: 'roomctl room show {roomId}'},
    ...{journal: [], isShown: true},
  },
`,
  ]),
  step('its place among the operations', 'src/api/contract/stateRules.ts', ['  sendData,', '  roomChanges.lock,\n']),
  step('how a read shows it', 'src/api/rules/evidence.ts', [
    "  'room.end': ",
    "  'room.lock': ofRoom('room {roomId} is locked now', (room) => (room.is_joinable === false ? 'shown' : 'absent')),\n",
  ]),
  step('the handler of the sandbox', 'src/sandbox/room/rooms.ts', [
    "  'room.end': ",
    `  'room.lock': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    requireState(room, 'ER001', 'MEETING')
    room.is_joinable = false
  },
`,
  ]),
  step('the command', 'src/commands/room/lock.ts', ['', command]),
  step('its lines', 'test/canary/lines.ts', ["  'room:list':", "  'room:lock': [{line: 'room lock r-1'}],\n"]),
  step('its row of the tests', 'test/support/operationRows.ts', [
    sibling,
    `  'room.lock': {
    line: 'room lock r-standup',
    request: 'POST /media/v1/rooms/r-standup/lock',
    ...{body: {requester_id: 'ann'}, journal: {targets: {roomId: 'r-standup'}, as: 'ann'}, looksUp: true},
    result: ['locked room r-standup as ann (host)', {...byAnn, locked: true}, 'r-standup'],
    ...{evidence: 'roomctl room show r-standup', settles: true},
  },
`,
  ]),
  step('its call', 'test/unit/api/client/calls.ts', [
    sibling,
    "  'room.lock': (api, before) => api.call(roomChanges.lock, {path, body: {requester_id}}, before),\n",
  ]),
  step('rooms that show it', 'test/unit/api/client/failures/outcome.test.ts', [
    "  'room.delete': ",
    "  'room.lock': {shown: [{is_joinable: false}], absent: [{is_joinable: true}], unclear: ['missing']},\n",
  ]),
  step(
    'a request whose refusal is predicted',
    'test/contract/predictions.test.ts',
    [sibling, "  'room.lock': (requester_id) => ask(lock, {path, body: {requester_id}}),\n"],
    ['presenter, remove', 'lock, '],
  ),
  step('a request in each state', 'test/contract/sandboxStates.test.ts', [
    "  'attendee.block': ",
    "  'room.lock': ['POST {room}/lock', host],\n",
  ]),
  step('its scene', 'test/contract/scenes.ts', [sibling, "  'room.lock': {state: 'MEETING', body: host},\n"]),
  step('requests that are refused', 'test/contract/sandboxErrors.test.ts', [
    "  'end CE002': ",
    "  'lock CE002': [nowhere('POST {room}/lock', host)],\n  'lock ER001': [on('ENDED', 'POST {room}/lock', host)],\n",
  ]),
  step(
    'what is transcribed from the document',
    'test/contract/room.json',
    ['{\n      "number": null,\n      "id": "room.send"', documented],
    ['{\n      "operation": "room.end"', validity],
    ['["end", "CE002"', errors],
  ),
]

/** A value of an enumeration: a layout of recordings. */
const layoutSteps: readonly Step[] = [
  step('the value', 'src/api/contract/record.ts', ["'GRID'] as const", "'STAGE', "]),
  step('its size in the sandbox', 'src/sandbox/room/recordings.ts', ['GRID: 375_000', 'STAGE: 300_000, ']),
  step('what is transcribed from the document', 'test/contract/room.json', ['"GRID"],\n', '"STAGE", ']),
]

/** A field of a room, in the list and in the update. */
const fieldSteps: readonly Step[] = [
  step(
    'its shapes',
    'src/api/contract/room.ts',
    ['  is_public: maybeBoolean,\n', '  topic: maybeString,\n'],
    ['  is_public: optionalBoolean,\n', '  topic: optionalString,\n'],
  ),
  step(
    'its flag',
    'src/commands/room/update.ts',
    ['    description,\n    start', "    topic: valueFlag('TEXT', 'topic of the room'),\n"],
    ['    is_joinable: flags.joinable', '    topic: flags.topic,\n'],
  ),
  step(
    'its place in the sandbox',
    'src/sandbox/world/world.ts',
    ['  is_joinable: boolean\n  readonly is_elect_host', '  topic: string\n'],
    ['} satisfies Partial<Room>', ", topic: ''"],
  ),
  step('its text in rooms of the tests', 'test/contract/predictions.test.ts', [
    '    is_joinable: true,\n',
    "    topic: '',\n",
  ]),
  step('its text in refused rooms', 'test/contract/refusedChanges.ts', [
    '    is_joinable: true,\n',
    "    topic: '',\n",
  ]),
  step('a request that has it', 'test/contract/scenes.ts', ['max_attendee_count: 9}},', "topic: 'Plans', "]),
  step(
    'what is transcribed from the document',
    'test/contract/room.json',
    ['"is_joinable": "boolean"\n    },\n    "Room": {', '"topic": "string",\n      '],
    ['"is_joinable": "boolean",\n      "is_elect_host"', '"topic": "string",\n      '],
    [
      '"is_public": {"type": "boolean", "required": "no"},\n        "is_joinable": {"type": "boolean", "required": "no"}\n      },\n      "reply": null,\n      "requester": "host"',
      '"topic": {"type": "string", "required": "no"},\n        ',
    ],
  ),
]

/** The files of source that a value or a field may take. */
const mostFiles = 3

/** The suites that go over all operations or commands. */
const suites = ['test/contract', 'test/unit/api', 'test/commands/every', 'test/project/operations']

/** Adds a layout of recordings and a field of a room, each to a copy. Throws if it takes more files of source, or if tests fail. */
export function addValueAndField(root: string, tests: readonly string[] = suites): void {
  addTo(root, layoutSteps, tests)
  addTo(root, fieldSteps, tests)
}

function addTo(root: string, parts: readonly Step[], tests: readonly string[]): void {
  const files = parts.filter(([, file]) => file.startsWith('src/'))
  if (files.length > mostFiles) throw new Error(`it takes ${files.length} files of source`)
  const copy = copyCheckout(root, 'newcomer')
  try {
    for (const part of parts) {
      take(copy, part)
      console.log(`${part[0]} (${part[1]})`)
      for (const line of missedByCompiler(copy)) console.log(`  ${line}`)
    }
    refreshPages(copy)
    assertPassing(copy, tests)
  } finally {
    rmSync(copy, {recursive: true, force: true})
  }
}

function assertPassing(copy: string, tests: readonly string[]): void {
  const left = failedTests(copy, tests)
  for (const line of left) console.log(`  ${line}`)
  if (left.length > 0) throw new Error('tests fail after the last step')
  console.log('  the tests pass')
}

/**
 * Adds an operation to a copy of the project, and prints what the compiler, or else the tests, miss after each step. Throws if tests
 * fail after the last.
 */
export function addOperation(root: string, tests: readonly string[] = suites): void {
  const copy = copyCheckout(root, 'newcomer')
  let isListed = false
  try {
    for (const one of steps) {
      take(copy, one)
      console.log(`${one[0]} (${one[1]})`)
      const missed = missedByCompiler(copy)
      isListed ||= missed.length > 1
      const failed = missed.length > 0 ? missed : isListed ? failedTests(copy, tests) : ['compiles']
      for (const line of failed) console.log(`  ${line}`)
    }
    console.log('its pages and its answers (docs)')
    document(copy)
    assertPassing(copy, tests)
  } finally {
    rmSync(copy, {recursive: true, force: true})
  }
}

/** Generates the pages of a copy, and writes the answers of the new command, as `npm run task -- fields` would. */
function document(folder: string): void {
  const file = path.join(folder, 'docs/fields.json')
  const all = JSON.parse(readFileSync(file, 'utf8'))
  const like = all.commands['room presenter']
  const {presenter: _, ...properties} = like[''].properties
  const answer = {
    ...like[''],
    properties: {locked: {type: 'boolean', description: 'whether it is locked'}, ...properties},
  }
  all.commands['room lock'] = {...like, '': {...answer, required: ['locked', 'requester_id', 'room_id']}}
  writeFileSync(file, JSON.stringify(all, null, 1))
  refreshPages(folder)
}

/** Builds a copy and generates its pages. */
function refreshPages(folder: string): void {
  const tsx = path.join(folder, 'node_modules/tsx/dist/cli.mjs')
  spawnSync(process.execPath, [tsx, 'scripts/task.ts', 'docs'], {cwd: folder, stdio: 'ignore'})
}

function take(folder: string, [, file, ...texts]: Step): void {
  const target = path.join(folder, file)
  for (const [from, text] of texts) {
    writeFileSync(target, from === '' ? text : mutated(readFileSync(target, 'utf8'), {file, from, to: text + from}))
  }
}

/** The file of each error of the compiler, with the names that are missing there. */
function missedByCompiler(folder: string): string[] {
  const tsc = path.join(folder, 'node_modules/typescript-7/bin/tsc')
  const {stdout} = spawnSync(process.execPath, [tsc, '--noEmit'], {cwd: folder, encoding: 'utf8'})
  const errors = stdout.split(/\n(?=\S)/u).filter((error) => error.trim() !== '')
  return errors.map((error) => {
    const names = [...error.matchAll(/Property '([^']+)' is missing|missing the following properties[^:]*: (.*)/gu)]
    const missing = [...new Set(names.map(([, one, several]) => one ?? several))].join(', ')
    return missing === '' ? error : `${error.split('(')[0]}: ${missing} is missing`
  })
}

interface TestFile {
  readonly name: string
  readonly assertionResults: readonly {status: string; fullName: string; failureMessages: readonly string[]}[]
}

/** Each failed test with the first lines of its message. */
function failedTests(folder: string, tests: readonly string[]): string[] {
  const file = path.join(folder, 'report.json')
  vitest([...tests, '--reporter', 'json', '--outputFile', file], {cwd: folder, stdio: 'ignore'})
  if (!existsSync(file)) return ['no test ran']
  const {testResults}: {testResults: TestFile[]} = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return testResults.flatMap(({name, assertionResults: results}) =>
    results.flatMap(({status, fullName, failureMessages: [message = '']}) => {
      const said = message
        .split(/\n\s*at /u)[0]
        ?.split('\n')
        .slice(0, 2)
        .join(' ')
      return status === 'failed' ? [`${path.relative(folder, name)}: ${fullName}: ${said}`] : []
    }),
  )
}
