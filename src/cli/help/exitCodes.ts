import {type Exit, exits} from '../../failure.js'
import {article, code, introduction, sectionOf, table, text} from './article.js'

// The keys of `exits`, which Object.keys does not know by their type.
const words = Object.keys(exits) as Exit[]

const failure = {
  error: {
    code: 'ER001',
    message: 'cannot end room r-review: it is IDLE, only a MEETING room can be ended',
    why: 'everybody has left; the service keeps the room until it is deleted or entered again',
    try: 'roomctl room delete r-review',
    http_status: 409,
    body: null,
    retryable: false,
    outcome: 'none',
    exit_code: 7,
  },
}

export const exitCodes = article(
  'Exit codes',
  introduction(
    text('Exit codes are stable: the same failure has the same code in every format.'),
    table(
      ['Exit', 'Word', 'Meaning'],
      words.map((word) => [String(exits[word].code), code(word), exits[word].meaning]),
    ),
    text(
      'A closed pipe (`| head`) gives 0. A signal gives 128 plus its number: 130 for Ctrl-C, 143 for SIGTERM, 129 for',
      'a closed terminal.',
    ),
  ),
  sectionOf(
    'Failures',
    text(
      'A failure is three lines on stderr: what happened, why, and what to do. Under `-o json`, `ndjson`, `yaml`, `csv` and',
      '`tsv` it is one line of JSON on stderr instead, and stdout is empty:',
    ),
    {kind: 'json', text: JSON.stringify(failure, null, 2)},
    text(
      '`code` is the code of the service if it returned one ([all codes](errors/README.md)), else a word of roomctl: the one',
      'in the table, or a more specific one such as `read-only`, `too-many` or `no-host`. `outcome` says whether a change was made:',
      '`none`, `applied`, or `unknown` if the response was lost. Members without a value are `null`.',
    ),
    text(
      'Earlier warnings are in `notes` beside `error`, a list of strings. Only output that was requested while the',
      'command runs (`--debug`, `--progress`, notices of a watch) has its own lines; the failure is always the last one.',
    ),
    text('`roomctl explain CODE` explains a code of the service for each operation.'),
  ),
)
