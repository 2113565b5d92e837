import {operatorsOf, type RoomField, roomFields} from '../../selection/selector/field.js'
import {type Article, code, examples, table, text} from './article.js'

const meanings: Readonly<Record<string, string>> = {
  status: 'RESERVED, MEETING, IDLE or ENDED, in any case',
  name: 'the name of the room',
  id: 'the id of the room',
  creator: 'the user who created it',
  age: 'how long ago it began, a duration such as `8h`; below zero before it begins',
  start: 'when it began, or is reserved to begin',
  end: 'when it ended, or is reserved to end',
  present: 'how many are in it now; needs one extra read for each room that the other conditions leave open',
  public: 'yes or no',
  joinable: 'yes or no',
  max: 'how many may be in it',
}

function rowOf([name, {kind}]: readonly [string, RoomField]): string[] {
  return [code(name), code(operatorsOf[kind].join(' ')), meanings[name] ?? '']
}

export const selectors: Article = {
  title: 'Selectors',
  sections: [
    {
      blocks: [
        text(
          '`--where EXPR` chooses rooms by what is known of them, in `room list`, `room watch` and the commands that change',
          'several rooms; `--until EXPR` of `room watch` is the same. A condition is a field, an operator and a value; `not`,',
          '`and` and `or` join conditions, in this order of strength, and parentheses group them.',
        ),
        text(
          'Put the expression in quotes, so that the shell leaves `<`, `>`, `!` and parentheses alone. An error shows the',
          'expression with a mark below the character that it is about.',
        ),
      ],
    },
    {
      heading: 'Without quotes',
      blocks: [
        table(
          ['Flag', 'The same as'],
          [
            ['`--older-than 8h`', '`age>8h`'],
            ['`--match GLOB`', '`name~~GLOB`'],
            ['`--empty`', '`(status=MEETING or status=IDLE) and present=0`; never a RESERVED room'],
          ],
        ),
        text(
          'These flags go with every command that takes `--where`. A room must meet all conditions that are given: they are',
          'joined by `and`. Quote a GLOB that the shell could expand to the names of files.',
        ),
      ],
    },
    {heading: 'Fields', blocks: [table(['Field', 'Operators', 'What it is'], [...roomFields].map(rowOf))]},
    {
      heading: 'Operators',
      blocks: [
        table(
          ['Operator', 'What it asks'],
          [
            ['`=` `!=`', 'equal or not, exactly: case counts, but for a status'],
            ['`<` `>` `<=` `>=`', 'less or more, earlier or later'],
            ['`~` `!~`', 'whether a regular expression is found anywhere in the text, or is not'],
            ['`~~` `!~~`', 'whether a glob matches the whole text, or does not; case counts'],
          ],
        ),
        text(
          'What a room does not have compares as false, so the operators that begin with `!` are true of it. A regular expression has the syntax of',
          'RE2, which always ends in time: no looking ahead and no referring back. `^` and `$` bind it to the ends, `(?i)` in',
          'front makes case not count.',
        ),
        text(
          'In a glob `*` stands for any text and `?` for one character, `[a-z]` and `[[:digit:]]` for one of a set, `[!a-z]` for one',
          'outside it, and `\\*` for the star itself.',
        ),
      ],
    },
    {
      heading: 'Values',
      blocks: [
        text(
          'A value with a space or a parenthesis stands in single or double quotes, in which `\\\'`, `\\"` and `\\\\` stand for the second',
          'character. Durations and times are those of [times](times.md): `age>1h30m`, `start>=2026-12-01T09:00+09:00`,',
          '`end<+2h`, `start<now`.',
        ),
      ],
    },
    {
      heading: 'Examples',
      blocks: [
        examples(
          ['Meetings that were forgotten', "roomctl room list --where 'status=MEETING and (age>8h or present=0)'"],
          ['End test rooms older than eight hours', "roomctl room end --match 'test-*' --older-than 8h --dry-run"],
          ['Rooms that nobody is in', 'roomctl room list --empty'],
          ['Test rooms, but not those of ann', "roomctl room list --where 'name~^test- and not creator=ann' -q"],
          ['What begins within a day', "roomctl room list --where 'status=reserved and start<+1d'"],
          ['See what would be ended', "roomctl room end --where 'name~^test- and status=MEETING' --dry-run"],
        ),
      ],
    },
  ],
}
