import {operatorsOf, type RoomField, roomFields} from '../../selection/selector/field.js'
import {article, code, examples, introduction, sectionOf, table, text} from './article.js'

const meanings: Readonly<Record<string, string>> = {
  status: 'RESERVED, MEETING, IDLE or ENDED, in any case',
  name: 'the name of the room',
  id: 'the id of the room',
  creator: 'the user who created it',
  age: 'time since it began, a duration such as `8h`; negative before it begins',
  start: 'when it began, or is reserved to begin',
  end: 'when it ended, or is reserved to end',
  present: 'number of users present; needs one extra read for each room that the other conditions leave open',
  public: 'yes or no',
  joinable: 'yes or no',
  max: 'maximum number of attendees',
}

function fieldRow([name, {kind}]: readonly [string, RoomField]): string[] {
  return [code(name), code(operatorsOf[kind].join(' ')), meanings[name] ?? '']
}

export const selectors = article(
  'Selectors',
  introduction(
    text(
      '`--where EXPR` selects rooms by their fields, in `room list`, `room watch` and the commands that change',
      'several rooms; `--until EXPR` of `room watch` is the same. A condition is a field, an operator and a value; `not`,',
      '`and` and `or` combine conditions, in this order of precedence, and parentheses group them.',
    ),
    text(
      'Quote the expression to protect `<`, `>`, `!` and parentheses from the shell. An error shows the',
      'expression with a mark below the wrong character.',
    ),
  ),
  sectionOf(
    'Without quotes',
    table(
      ['Flag', 'Same as'],
      [
        ['`--older-than 8h`', '`age>8h`'],
        ['`--match GLOB`', '`name~~GLOB`'],
        ['`--empty`', 'a MEETING or IDLE room with `present=0`; never a RESERVED one'],
      ],
    ),
    text(
      'Every command with `--where` has these flags. A room must meet all given conditions: they are',
      'joined by `and`. Quote a GLOB that the shell could expand to file names.',
    ),
  ),
  sectionOf('Fields', table(['Field', 'Operators', 'Description'], [...roomFields].map(fieldRow))),
  sectionOf(
    'Operators',
    table(
      ['Operator', 'Meaning'],
      [
        ['`=` `!=`', 'equal, not equal; case-sensitive, except for a status'],
        ['`<` `>` `<=` `>=`', 'less or greater, earlier or later'],
        ['`~` `!~`', 'contains or does not contain a match of a regular expression'],
        ['`~~` `!~~`', 'matches or does not match a glob as a whole; case-sensitive'],
      ],
    ),
    text(
      'A comparison with a missing value is false, so operators that begin with `!` are true. Regular expressions have the syntax of',
      'RE2, which runs in linear time: no lookahead and no backreferences. `^` and `$` anchor the pattern, `(?i)` in',
      'front makes it case-insensitive.',
    ),
    text(
      'In a glob `*` stands for any text and `?` for one character, `[a-z]` and `[[:digit:]]` for one of a set, `[!a-z]` for one',
      'outside it, and `\\*` for a literal star.',
    ),
  ),
  sectionOf(
    'Values',
    text(
      'Put a value with a space or a parenthesis in single or double quotes, in which `\\\'`, `\\"` and `\\\\` stand for the second',
      'character. Durations and times are those of [times](times.md): `age>1h30m`, `start>=2026-12-01T09:00+09:00`,',
      '`end<+2h`, `start<now`.',
    ),
  ),
  sectionOf(
    'Examples',
    examples(
      ['Find forgotten meetings', "roomctl room list --where 'status=MEETING and (age>8h or present=0)'"],
      ['End test rooms older than eight hours', "roomctl room end --match 'test-*' --older-than 8h --dry-run"],
      ['List empty rooms', 'roomctl room list --empty'],
      ['List ids of test rooms not created by ann', "roomctl room list --where 'name~^test- and not creator=ann' -q"],
      ['List rooms that begin within a day', "roomctl room list --where 'status=reserved and start<+1d'"],
      ['See what would be ended', "roomctl room end --where 'name~^test- and status=MEETING' --dry-run"],
    ),
  ),
)
