import * as Flags from '@oclif/core/flags'
import {repeatable} from '../../cli/flags/flags.js'
import {parseByteCountFlag, parseChoice, parseDurationFlag} from '../../cli/flags/parseValues.js'

/** Where a sandbox keeps its state, for every command on one. */
export const dataFlag = Flags.string({
  helpValue: 'DIR',
  summary: 'use the sandbox in this folder (default: that of -p sandbox)',
})

export const seedFlag = Flags.string({options: ['demo'], summary: 'put rooms, files and devices into it'})

const either = ['allow', 'refuse'] as const

/** Which readings a sandbox takes, and whether it fails on purpose (product §8, §9). */
export const choiceFlags = {
  'delete-ended': Flags.string({options: [...either], summary: 'deleting an ENDED room: two texts differ'}),
  'delete-idle': Flags.string({options: [...either], summary: 'deleting an IDLE room: not said'}),
  'host-leave': Flags.string({
    options: ['continue', 'destroy'],
    summary: 'the host leaves and none is elected: two texts differ',
  }),
  'not-joinable': Flags.string({
    options: ['host', 'nobody'],
    summary: 'who may enter a room that is not joinable: two texts differ',
  }),
  'fail-status': Flags.string({options: ['200', '4xx'], summary: 'the HTTP status of refusals: not shown'}),
  tenant: Flags.boolean({summary: 'ask for biz_id, as the tenant variant does'}),
  console: Flags.string({
    ...repeatable,
    helpValue: 'NAME=VALUE',
    summary: 'a console option that overrides new rooms: max_attendee_count=10',
  }),
  fail: Flags.string({
    ...repeatable,
    helpValue: 'WHAT[:PERCENT]',
    summary: 'fail on purpose: 503, 503:10%, CE100',
  }),
  latency: Flags.string({helpValue: '200ms', summary: 'hold every answer back'}),
  'container-path': Flags.string({
    options: ['self', 'parent'],
    summary: 'what the path names when a container is created: not said',
  }),
  'no-head': Flags.boolean({summary: 'uploads: answer no HEAD'}),
  'foreign-location': Flags.boolean({summary: 'uploads: give them an address on another origin'}),
  'cut-after': Flags.string({helpValue: '1MiB', summary: 'uploads: break the connection of each once, after so much'}),
  stall: Flags.boolean({summary: 'uploads: stop reading each once, in the middle'}),
  'max-chunk': Flags.string({helpValue: '8MiB', summary: 'uploads: refuse larger chunks with 413'}),
  'no-checksum': Flags.boolean({summary: 'uploads: know no algorithm of Upload-Checksum'}),
  route: Flags.string({
    ...repeatable,
    helpValue: "ID='METHOD /path'",
    summary: 'push: serve an operation at another method and path: not shown',
  }),
  'push-bodies': Flags.string({
    options: ['full', 'none'],
    summary: 'push: what the answers hold whose bodies are not shown',
  }),
}

interface ChoiceFlags {
  readonly 'delete-ended'?: string | undefined
  readonly 'delete-idle'?: string | undefined
  readonly 'host-leave'?: string | undefined
  readonly 'not-joinable'?: string | undefined
  readonly 'fail-status'?: string | undefined
  readonly tenant?: boolean
  readonly latency?: string | undefined
  readonly 'container-path'?: string | undefined
  readonly 'no-head'?: boolean
  readonly 'foreign-location'?: boolean
  readonly 'cut-after'?: string | undefined
  readonly stall?: boolean
  readonly 'max-chunk'?: string | undefined
  readonly 'no-checksum'?: boolean
  readonly 'push-bodies'?: string | undefined
}

/** The choices that were made, by the names of the sandbox; those that need reading by it are left to the command. */
export function choicesOf(flags: ChoiceFlags) {
  const {latency} = flags
  return {
    ...chosen('deleteEnded', flags['delete-ended'], either),
    ...chosen('deleteIdle', flags['delete-idle'], either),
    ...chosen('hostLeave', flags['host-leave'], ['continue', 'destroy'] as const),
    ...chosen('joinableFalse', flags['not-joinable'], ['host', 'nobody'] as const),
    ...chosen('failStatus', flags['fail-status'], ['200', '4xx'] as const),
    ...(flags.tenant ? {tenant: true} : {}),
    ...(latency === undefined ? {} : {latencyMs: parseDurationFlag('--latency', latency)}),
    ...chosen('containerPath', flags['container-path'], ['self', 'parent'] as const),
    ...uploadFaults(flags),
    ...chosen('pushBodies', flags['push-bodies'], ['full', 'none'] as const),
  }
}

function uploadFaults(flags: ChoiceFlags) {
  const {'cut-after': cutAfter, 'max-chunk': maxChunk} = flags
  return {
    ...(flags['no-head'] ? {noHead: true} : {}),
    ...(flags['foreign-location'] ? {foreignLocation: true} : {}),
    ...(cutAfter === undefined ? {} : {cutAfter: parseByteCountFlag('--cut-after', cutAfter, {min: 1, least: '1'})}),
    ...(flags.stall ? {stall: true} : {}),
    ...(maxChunk === undefined ? {} : {maxChunk: parseByteCountFlag('--max-chunk', maxChunk, {min: 1, least: '1'})}),
    ...(flags['no-checksum'] ? {noChecksum: true} : {}),
  }
}

function chosen<Key extends string, Word extends string>(key: Key, text: string | undefined, words: readonly Word[]) {
  const empty: {[K in Key]?: Word} = {}
  return text === undefined ? empty : ({[key]: parseChoice(key, text, words)} as {[K in Key]?: Word})
}
