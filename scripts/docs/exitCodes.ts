import {type Exit, exits} from '../../src/contract/exits.js'
import {block, code, page, prose, table} from './markdown.js'

/** Ends that need no command to bring them about. */
const ofTheProcess: ReadonlySet<Exit> = new Set(['bug', 'hungUp', 'interrupted', 'terminated'])

/** The table of exit codes; `used` are those that some command ends with today. */
export function exitTable(used: ReadonlySet<Exit>): string {
  return table(['Exit', 'Meaning'], rowsOf(used, false))
}

/** The page of the exit codes, with the word that stands for each in the JSON of a failure. */
export function exitCodesPage(used: ReadonlySet<Exit>): string {
  return page(
    'Exit codes',
    'Scripts can rely on them: the same failure always ends with the same code, whatever the format.',
    table(['Exit', 'Word', 'Meaning'], rowsOf(used, true)),
    'A failure is three lines on stderr: what happened, why, and what to do. Under `-o json`, `ndjson`, `yaml`, `csv` and ' +
      '`tsv` it is one line of JSON on stderr instead, and stdout is empty:',
    block('json', example),
    '`code` is the code of the service where it gave one ([all of them](errors/README.md)), else a word of the tool: that of ' +
      'the table, or a closer one such as `read-only`, `too-many` or `no-host`. `outcome` says whether a change was made: ' +
      '`none`, `applied`, or `unknown` where the answer was lost. Members without a value are `null`.',
    'A closed pipe (`| head`) ends with 0. A signal ends with 128 and its number: 130 for Ctrl-C, 143 for SIGTERM, 129 for a ' +
      'terminal that was closed.',
  )
}

function rowsOf(used: ReadonlySet<Exit>, words: boolean): string[][] {
  return (Object.keys(exits) as Exit[]).map((exit) => {
    const later = used.has(exit) || ofTheProcess.has(exit) ? '' : ' (kept for later: no command ends with it yet)'
    const {code: number, meaning} = exits[exit]
    return [String(number), ...(words ? [code(exit)] : []), `${prose(meaning)}${later}`]
  })
}

const example = JSON.stringify(
  {
    error: {
      code: 'ER001',
      message: 'cannot end room r-review: it is IDLE, only a MEETING room can be ended',
      why: 'everybody has left; the service keeps the room until it is deleted or entered again',
      try: 'roomctl room delete r-review',
      http_status: 409,
      retryable: false,
      outcome: 'none',
      exit_code: 7,
    },
  },
  null,
  2,
)
