import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {Ajv2020} from 'ajv/dist/2020.js'
import {describe, expect, test} from 'vitest'
import {readCommands} from '../../scripts/docs/commands.js'
import {brokenPromises} from '../../scripts/fields/compare.js'
import {contractObjects, errorCodes} from '../../scripts/fields/contract.js'
import {type DeclaredObject, declaredTypes} from '../../scripts/fields/declared.js'
import {meaningOf} from '../../scripts/fields/meanings.js'
import {type Known, schemaOf} from '../../scripts/fields/schema.js'
import {mergedShape, shapeOf} from '../../scripts/fields/shape.js'
import {listRooms} from '../../src/api/contract/room.js'
import {type FieldFile, type FieldSchema, readFields} from '../../src/cli/help/fields.js'
import {cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {unpromised} from '../support/fields.js'
import {freshFolder} from '../support/folder.js'
import {readText, root} from '../support/repository.js'

const {commands: fields, failure} = readFields(root)
const [now, released] = ['../../docs/fields.json', 'fields-0.4.0.json'].map(
  (file): {commands: FieldFile; error_codes: string[]} =>
    JSON.parse(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
)
const commands = readCommands(root).map(({name}) => name)
const ajv = new Ajv2020({strict: false})
const unknown: Known = {contract: [], declared: [], meanings: new Map()}

describe('docs/fields.json', () => {
  test('keeps every field of the last release', () => {
    expect(brokenPromises(released?.commands ?? {}, fields)).toEqual([])
  })

  test('says of every item of a run the same', () => {
    const items = Object.entries(fields).flatMap(([command, {'': schema}]) => {
      const item = [schema, ...(schema?.anyOf ?? [])].find((one) => one?.items?.properties?.outcome)?.items
      return item && command !== 'history' ? [[command, item] as const] : []
    })
    expect(items.length).toBeGreaterThan(9)
    const outcomes = ['done', 'failed', 'not-tried', 'skipped', 'unknown']
    for (const [command, {properties = {}, required}] of items) {
      expect([command, properties.outcome?.enum, required?.includes('outcome')]).toEqual([command, outcomes, true])
      expect([command, properties.reason?.type, properties.error]).toEqual([
        command,
        'string',
        failure.properties?.error,
      ])
      expect(required).not.toEqual(expect.arrayContaining(['error', 'reason']))
    }
  })

  test('has fields that all have a meaning in words', () => {
    const names = new Set<string>()
    const read = ({properties = {}, items, anyOf = []}: FieldSchema): void => {
      for (const [name, schema] of Object.entries(properties)) {
        names.add(name)
        read(schema)
      }
      for (const schema of [...anyOf, ...(items ? [items] : [])]) read(schema)
    }
    for (const schema of [failure, ...Object.values(fields).flatMap((forms) => Object.values(forms))]) read(schema)
    expect([...names].filter((name) => meaningOf(name) === undefined)).toEqual([])
  })

  test('has every error code of the source, and keeps those of the last release', () => {
    expect(errorCodes(root)).toEqual(now?.error_codes)
    expect(released?.error_codes.filter((code) => !now?.error_codes.includes(code))).toEqual([])
  })

  test('has an answer of every command that prints JSON of its own, and of no other', () => {
    const promised = commands.filter((name) => !unpromised.has(name))
    expect(promised.filter((name) => !(name in fields))).toEqual([])
    expect(Object.keys(fields).filter((name) => !promised.includes(name))).toEqual([])
  })
})

describe('a promise that is broken', () => {
  const before: FieldFile = {
    'room can': {'': schemaFor([{action: 'end', allowed: 'yes', as: {user: 'ann', depth: 1}}])},
    'room end': {'--dry-run': schemaFor([{dry_run: true}])},
  }
  const changed = (row: object): FieldFile => ({...before, 'room can': {'': schemaFor([row])}})

  test.each([
    [{allowed: 'yes', as: {user: 'ann', depth: 1}}, '[].action is gone'],
    [{action: 'end', allowed: 'yes', as: {user: 'ann'}}, '[].as.depth is gone'],
    [{action: 'end', is_allowed: 'yes', as: {user: 'ann', depth: 1}}, '[].allowed is gone, or renamed to is_allowed'],
    [{action: 'end', allowed: 'yes', as: {user: 'ann', depth: '1'}}, '[].as.depth was integer, and is string'],
    [{action: 'end', allowed: null, as: {user: 'ann', depth: 1}}, '[].allowed was string, and is null'],
  ])('is named with its command and field: %j', (row, what) => {
    expect(brokenPromises(before, changed(row))).toEqual([`room can: ${what}`])
  })

  test('is also a command or a form without its answer, and a field that is not always there', () => {
    expect(brokenPromises(before, {'room can': before['room can'] ?? {}})).toEqual([
      'room end --dry-run: has no answer any more',
    ])
    const some = [
      {action: 'end', allowed: 'yes', as: {user: 'ann', depth: 1}},
      {action: 'end', allowed: 'yes'},
    ]
    expect(brokenPromises(before, {...before, 'room can': {'': schemaFor(some)}})).toEqual([
      'room can: [].as is not always there any more',
    ])
  })

  test('is also a field that can be null where it could not, and one that cannot where it could', () => {
    const [always, sometimes] = [
      schemaFor({end: 'x'}),
      schemaOf(mergedShape(shapeOf({end: 'x'}), shapeOf({end: null})), unknown),
    ]
    const told = (before: FieldSchema, after: FieldSchema) =>
      brokenPromises({'room show': {'': before}}, {'room show': {'': after}})
    expect(told(always, sometimes)).toEqual(['room show: end was string, and is null or string'])
    expect(told(sometimes, always)).toEqual(['room show: end was null or string, and is string'])
  })

  test('is also a value that a field lost', () => {
    for (const kind of ['enum', 'examples']) {
      const form = (values: readonly string[]) => ({
        'room end': {'': {items: {properties: {outcome: {type: 'string', [kind]: values}}}}},
      })
      const broken = (...after: string[]) => brokenPromises(form(['done', 'failed', 'skipped']), form(after))
      const lost = 'room end: [].outcome lost the value skipped'
      expect(broken('done', 'failed', 'not-done')).toEqual([`${lost}, or renamed it to not-done`])
      expect(broken('done', 'failed', 'skipped', 'unknown')).toEqual([])
      expect(broken('done', 'failed')).toEqual([lost])
    }
  })

  test('is not one with more fields', () => {
    expect(
      brokenPromises(before, changed({action: 'end', allowed: 'yes', as: {user: 'ann', depth: 1}, why: ''})),
    ).toEqual([])
  })
})

function schemaFor(value: unknown) {
  return schemaOf(shapeOf(value), unknown)
}

describe('a schema', () => {
  test('is the same whichever answer comes first', () => {
    const answers = [[], [{a: 1}, {a: null, b: ['x']}], {c: {d: true}}, [{b: [], a: 1.5}]].map(shapeOf)
    const all = (shapes: typeof answers) => JSON.stringify(schemaOf(shapes.reduce(mergedShape), unknown))
    expect(all([...answers].reverse())).toBe(all(answers))
  })
  test('takes from the contract which field of a service can be missing, and lets its objects have more', () => {
    const contract = contractObjects([listRooms])
    const row = {room_id: 'r-1', name: 'One', room_status: 'IDLE', own: 1}
    const {items} = schemaOf(shapeOf([row]), {contract, declared: [], meanings: new Map([['room_status', 'Status']])})
    expect(items).toMatchObject({required: ['own', 'room_id'], additionalProperties: true})
    expect(items?.properties?.name).toEqual({type: ['null', 'string'], description: 'name of the room'})
    expect(items?.properties?.room_status?.description).toBe('state of the room')
    expect(schemaFor([{name: 'x', own: 1}]).items).toMatchObject({
      required: ['name', 'own'],
      additionalProperties: false,
    })
  })
})

describe('the values of a field', () => {
  const row = (values: readonly string[], more: object = {}) =>
    new Map(Object.entries({room_id: {optional: false, values: []}, outcome: {optional: false, values}, ...more}))
  const outcomeIn = (...declared: readonly DeclaredObject[]) => {
    const answer = [{room_id: 'r-1', outcome: 'done'}]
    return schemaOf(shapeOf(answer), {...unknown, declared}).items?.properties?.outcome
  }

  test('are those of the types that an object can be of', () => {
    expect(outcomeIn(row(['done', 'failed']), row(['unknown']))).toMatchObject({
      type: 'string',
      enum: ['done', 'failed', 'unknown'],
    })
    const other = {reason: {optional: false, values: []}}
    expect(outcomeIn(row(['done', 'failed']), row(['unknown'], other))?.enum).toEqual(['done', 'failed'])
    expect(outcomeIn(row(['done']), row([]))?.enum).toBeUndefined()
  })

  test('are null, too, where the field can be; of a list, those of its elements; of a service, what the documents list', () => {
    const declared = [
      new Map([
        ['state', {optional: false, values: ['ok', 'due']}],
        ['at', {optional: false, values: []}],
      ]),
    ]
    const known = {...unknown, declared}
    const shown = [
      {state: 'ok', at: 1},
      {state: null, at: 2},
    ]
    expect(schemaOf(shapeOf(shown), known).items?.properties?.state).toMatchObject({
      type: ['null', 'string'],
      enum: [null, 'due', 'ok'],
    })
    expect(schemaOf(shapeOf({state: ['ok'], at: 1}), known).properties?.state?.items?.enum).toEqual(['due', 'ok'])
    expect(schemaOf(shapeOf({room_status: 'IDLE'}), unknown).properties?.room_status).toMatchObject({
      type: 'string',
      examples: ['RESERVED', 'MEETING', 'IDLE', 'ENDED'],
    })
  })

  test('are taken from the types of the source: of unions, of nullable types and of arrays', () => {
    const folder = freshFolder()
    mkdirSync(path.join(folder, 'src'))
    writeFileSync(path.join(folder, 'tsconfig.json'), '{"compilerOptions":{"strict":true,"types":[],"lib":["es5"]}}')
    const lines = [
      "interface Row {readonly id: string; readonly state: 'ok' | 'due' | null; readonly kinds?: readonly ('a' | 'b')[]}",
      "type Event = {at: number; event: 'left'} | ({at: number} & {event: 'joined'; user: string})",
    ]
    writeFileSync(path.join(folder, 'src/rows.ts'), lines.join('\n'))
    const open = {optional: false, values: []}
    expect(declaredTypes(folder).objects.filter((type) => type.has('state') || type.has('user'))).toEqual([
      new Map([
        ['id', open],
        ['state', {optional: false, values: ['ok', 'due']}],
        ['kinds', {optional: true, values: ['a', 'b']}],
      ]),
      new Map([
        ['at', open],
        ['event', {optional: false, values: ['left', 'joined']}],
        ['user', {optional: true, values: []}],
      ]),
      new Map([
        ['event', {optional: false, values: ['joined']}],
        ['user', open],
      ]),
    ])
  })

  test('are in the table of the command, and in its schema', async () => {
    const shown = await cli('help fields room end')
    expect(shown.stdout).toMatch(/one of done, failed,\s+not-tried, skipped,\s+unknown/u)
    expect(fields['room end']?.['']?.items?.properties?.outcome?.enum).toEqual([
      'done',
      'failed',
      'not-tried',
      'skipped',
      'unknown',
    ])
    const ofList = (await cli('help fields room list')).stdout.replaceAll(/\s+/gu, ' ')
    expect(ofList).toContain('documented: RESERVED, MEETING, IDLE, ENDED')
  })
})

describe('roomctl help fields COMMAND', () => {
  test('is a table for people, and with -o json a JSON Schema of the whole answer', () =>
    everyCase(Object.keys(fields), async (name) => {
      const shown = await cli(`help fields ${name}`)
      expect(shown).toMatchObject({exit: 0, stderr: '', sent: []})
      expect(shown.stdout).toMatch(new RegExp(`^Fields of roomctl ${name} -o json\n`, 'u'))
      const {stdout, exit} = await cli(`help fields ${name} -o json`)
      const schema = JSON.parse(stdout)
      expect([exit, schema.$schema]).toEqual([0, 'https://json-schema.org/draft/2020-12/schema'])
      expect(() => ajv.compile(schema)).not.toThrow()
    }))

  test('describes an answer that it was not made from', async () => {
    const schema = JSON.parse((await cli('help fields room list -o json')).stdout)
    const holds = ajv.compile(schema)
    const rooms: Record<string, unknown>[] = JSON.parse((await cli('room list -o json')).stdout)
    expect(holds(rooms)).toBe(true)
    expect(holds(rooms.map(({room_id: _, ...rest}) => rest))).toBe(false)
    expect(holds(rooms[0])).toBe(false)
  })

  test('accepts an alias, and reports a command that has no fields', async () => {
    expect((await cli('help fields room block')).stdout).toContain('Fields of roomctl attendee block -o json')
    for (const name of [...unpromised].filter((one) => one !== 'complete')) {
      const ran = await cli(`help fields ${name}`)
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).toContain(`error: roomctl ${name} has no fields to list\n`)
    }
  })

  test('names the word that is no command, and the line that was meant', async () => {
    for (const [words, message, advice] of [
      ['rom list', 'unknown command or help topic "rom"', 'try: roomctl help fields room list'],
      ['room nothing', 'unknown command or help topic "room nothing"', 'see: roomctl room --help'],
      ['room', 'unknown command or help topic "room"', 'see: roomctl room --help'],
    ]) {
      const ran = await cli(`help fields ${words}`)
      expect(ran).toMatchObject({exit: 2, stdout: '', stderr: `error: ${message}\n  ${advice}\n`})
    }
  })

  test('is on the page of the command', () => {
    const page = readText('docs/commands/room-list.md')
    expect(page).toContain('\nAn array of objects:\n\n- `attendee_count?` null or object: ')
    const lacking = Object.keys(fields).filter(
      (name) =>
        !readFileSync(path.join(root, `docs/commands/${name.replaceAll(' ', '-')}.md`), 'utf8').includes('\n## JSON\n'),
    )
    expect(lacking).toEqual([])
  })
})
