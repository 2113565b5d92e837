import type {Format} from '../../view/format/output.js'
import {type Article, code, examples, table, text} from './article.js'

const formats: Readonly<Record<Format, string>> = {
  table: 'for people; the default everywhere, on a terminal and off it',
  json: 'the plain result: an array for a list, an object otherwise, `[]` for an empty list; `--json` is the same',
  ndjson: 'one JSON object a line',
  yaml: 'the same result as YAML',
  csv: "exact values with a heading; a cell that a spreadsheet would run as a formula gets a `'` in front",
  tsv: "the same between tabs, nothing quoted; a cell that begins with a quotation mark gets a `'` in front, too",
  ids: 'ids only, one per line, for `-` of another command; `-q` is the same',
}

export const output: Article = {
  title: 'Output',
  sections: [
    {
      blocks: [
        text(
          'stdout carries the result and nothing else; progress, questions, hints and errors go to stderr. The format never',
          'changes because stdout is a pipe: off a terminal a table is the same table, without colour, uncut, with the',
          'times of the service as they came.',
        ),
      ],
    },
    {
      heading: 'Formats',
      blocks: [
        table(
          ['Format', 'What it is'],
          Object.entries(formats).map(([name, what]) => [code(`-o ${name}`), what]),
        ),
        text(
          'JSON has the names of the service (`room_id`) and its values untouched; one fact has one name, so `meeting_status`',
          'comes out as `room_status`. Commands that take several targets always print an array, one object for each in the',
          'order in which they were given: its ids, `outcome` (`done`, `skipped` or `failed`) and `error`.',
        ),
        text('A failure is JSON on stderr under the formats for programs: see [exit-codes](exit-codes.md).'),
      ],
    },
    {
      heading: 'Choosing',
      blocks: [
        table(
          ['Flag', 'What it does'],
          [
            ['`--columns a,b`', 'columns of a table, csv or tsv, by their names in JSON'],
            [
              '`--sort -a,b`',
              'sorts a list by columns, in every format; a minus sorts downwards, missing values come last',
            ],
            [
              '`--query JMESPATH`',
              'chooses from the JSON without another program; implies `-o json`, and takes `-o yaml`',
            ],
            ['`-r`, `--raw`', 'prints the texts that `--query` finds without quotes, one per line, for a shell'],
            ['`--no-header`', 'leaves the heading of table, csv and tsv out'],
            ['`--utc`, `--tz ZONE`', 'converts times: see [times](times.md)'],
          ],
        ),
      ],
    },
    {
      heading: 'Tables',
      blocks: [
        text(
          'On a terminal a table is as wide as the window. Names are cut at the end, paths in the middle, and sentences wrap; where',
          'that is not enough, columns are hidden, digests first, and a note names them. Ids, outcomes, errors and the columns that a',
          'flag names are never hidden: where they do not fit, each row becomes a block of lines. A digest shows 12 characters and a',
          'time only what today needs (`07:41`, `Nov 20 07:41`); `--utc`, `--tz` and the formats for programs are exact.',
          'A card cuts a value that would fill the screen, and a note says which.',
        ),
        text(
          'Whatever a server says is made safe before it is shown: control characters, escapes and invisible characters',
          'appear as `\\u{…}`.',
        ),
        text(
          'A table or card that is longer than the terminal goes through `less -FRX`, if it is installed, and the heading stays on',
          'the screen. The setting `pager` (`ROOMCTL_PAGER`) names another program, or `off`; `--no-pager` skips it once.',
          'The results of a change are never paged, nor is anything for a screen reader. A closed pipe',
          'ends roomctl quietly, with 0.',
        ),
      ],
    },
    {
      heading: 'Progress',
      blocks: [
        text(
          'Commands that take long say on stderr how far they are: with a bar on a terminal, else with a line every few seconds.',
          '`--progress` chooses another way: `json` is for programs, `none` says nothing.',
        ),
      ],
    },
    {
      heading: 'Colour',
      blocks: [
        text(
          'It is decided for stdout and stderr apart. The first that speaks wins: `--color`, `NO_COLOR`, `FORCE_COLOR`,',
          '`CLICOLOR_FORCE`, `CLICOLOR=0`, `TERM=dumb`, and then whether the stream is a terminal. Colour never carries a meaning',
          'alone.',
        ),
      ],
    },
    {
      heading: 'Examples',
      blocks: [
        examples(
          ['Names and states for a spreadsheet', 'roomctl room list -o csv --columns room_id,name,room_status'],
          ['Only what a program needs', "roomctl room list -o json --query '[].{id: room_id, name: name}'"],
          ['The newest last, without a heading', 'roomctl room list --sort start_time --no-header'],
          [
            'The ids of one command as the targets of another',
            'roomctl room list --status ended -q | roomctl room delete - --dry-run',
          ],
        ),
      ],
    },
  ],
}
