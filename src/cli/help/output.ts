import type {Format} from '../../view/format/output.js'
import {article, code, examples, introduction, sectionOf, table, text} from './article.js'
import {fieldPromise} from './fields.js'

const formats: Readonly<Record<Format, string>> = {
  table: 'for people; the default everywhere, on a terminal and off it',
  json: 'the result: an array for a list, otherwise an object; `[]` for an empty list; same as `--json`',
  ndjson: 'one JSON object per line',
  yaml: 'the same result as YAML',
  csv: "exact values with a header row; `'` is put before a cell that a spreadsheet would run as a formula",
  tsv: "the same, tab-separated and unquoted; `'` is also put before a cell that begins with a quotation mark",
  ids: 'ids only, one per line, to pipe into `-` of another command; same as `-q`',
}

export const output = article(
  'Output',
  introduction(
    text(
      'Only the result goes to stdout; progress, prompts, hints and errors go to stderr. The format never',
      'changes because stdout is a pipe: a table in a pipe is the same table, without colour or truncation, with the',
      'times as the service sent them.',
    ),
    text(
      'A file that a flag names for output (`--result`, `--lock`, `--plan-out` …) is written if it is new, empty or an earlier',
      'one of its kind; any other ends the command with 14 before anything is sent, unless `--overwrite` is given. A link is',
      "never replaced. `-` and `/dev/stdout` write to stdout in place of the command's own output.",
    ),
  ),
  sectionOf(
    'Formats',
    table(
      ['Format', 'Description'],
      Object.entries(formats).map(([name, what]) => [code(`-o ${name}`), what]),
    ),
    text(
      'JSON keeps the names (`room_id`) and values of the service; each fact has one name, so `meeting_status`',
      'becomes `room_status`. Commands that take several targets always print an array with one object per target, in the',
      'order given: its ids, `outcome` (`done`, `failed`, `skipped`, or `not-tried` if the run ended before) and `error`.',
    ),
    text(
      'Excel on Windows opens a CSV file in the code page of the system, so that a Korean name is unreadable, unless the file',
      'begins with a byte order mark. Add `--bom` for a file that will be opened there, but not for a program: most would take the',
      'mark for a part of the first column name. Any other format ends the command with 2.',
    ),
    text('In machine-readable formats a failure is JSON on stderr: see [exit-codes](exit-codes.md).'),
  ),
  sectionOf(
    'Selecting fields',
    table(
      ['Flag', 'Effect'],
      [
        ['`--columns a,b`', 'columns of a table, csv or tsv, by JSON name'],
        [
          '`--sort -a,b`',
          'sort a list by columns, in every format; a minus sorts in descending order, missing values come last',
        ],
        ['`--query JMESPATH`', 'filter JSON or YAML with JMESPath; implies `-o json`'],
        ['`-r`, `--raw`', 'print strings found by `--query` unquoted, one per line'],
        ['`--no-header`', 'omit the header row'],
        ['`--bom`', 'begin csv with a UTF-8 byte order mark'],
        ['`--utc`, `--tz ZONE`', 'convert times: see [times](times.md)'],
      ],
    ),
  ),
  sectionOf(
    'Tables',
    text(
      'On a terminal a table is as wide as the window. Names are truncated at the end, paths in the middle, and sentences wrap; if',
      'that is not enough, columns are hidden, digests first, and a note names them. Ids, outcomes, errors and the columns that a',
      'flag names are never hidden: if they do not fit, each row becomes a block of lines. Digests show 12 characters;',
      'times are short (`07:41`, `Nov 20 07:41`), but exact with `--utc`, `--tz` and in machine-readable formats.',
      'A card truncates a value that would fill the screen, and a note names it. Tables and cards show 4,096 characters of a value; JSON,',
      'YAML and CSV show all.',
    ),
    text(
      'All server text is escaped before it is shown: control characters, escapes and invisible characters',
      'appear as `\\u{…}`.',
    ),
    text(
      'A table or card that is longer than the terminal is piped through `less -FRX`, if installed, and the header stays on',
      'the screen. The setting `pager` (`ROOMCTL_PAGER`) names another program, or `off`; `--no-pager` skips it once.',
      'Results of changes are never paged, and nothing is paged for a screen reader. If the pipe is closed,',
      'roomctl exits with 0.',
    ),
  ),
  sectionOf('The promise about fields', ...fieldPromise),
  sectionOf(
    'Progress',
    text(
      'Long-running commands show progress on stderr: a bar on a terminal, else a line every few seconds.',
      '`--progress` changes that: `json` is for programs, `none` shows nothing.',
    ),
  ),
  sectionOf(
    'Colour',
    text(
      'Decided separately for stdout and stderr. The first one set wins: `--color`, `NO_COLOR`, `FORCE_COLOR`,',
      '`CLICOLOR_FORCE`, `CLICOLOR=0`, `TERM=dumb`, and then whether the stream is a terminal. Colour never carries meaning',
      'alone.',
    ),
  ),
  sectionOf(
    'Examples',
    examples(
      ['Export names and states to a spreadsheet', 'roomctl room list -o csv --columns room_id,name,room_status'],
      ['Print a list for Excel on Windows', 'roomctl room list -o csv --bom'],
      ['Select the fields a program needs', "roomctl room list -o json --query '[].{id: room_id, name: name}'"],
      ['Newest last, without the header row', 'roomctl room list --sort start_time --no-header'],
      [
        'Pipe the ids of one command into another',
        'roomctl room list --status ended -q | roomctl room delete - --dry-run',
      ],
    ),
  ),
)
