import {type Article, examples, table, text} from './article.js'

export const times: Article = {
  title: 'Times',
  sections: [
    {
      heading: 'Moments',
      blocks: [
        text('Where a moment is asked for (`--start`, `--end`, `--at`, `start` and `end` of a selector):'),
        table(
          ['Form', 'What it means'],
          [
            [
              '`2026-12-01T09:00+09:00`',
              'RFC 3339 with an offset or `Z`; seconds may be left out, a space may stand for the T',
            ],
            ['`now`', 'this moment'],
            ['`+2h`, `-30m`', 'so long from now, or ago'],
            ['`2h`', 'so long ago, where only what is past can be meant: `--since` and `--until` of `history`'],
            ['`2026-12-01T09:00`', 'on the clocks of the zone that `--tz`, `ROOMCTL_TZ` or the setting `tz` names'],
          ],
        ),
        text(
          'A time without an offset and without a zone is refused: nobody can say which moment it is. So is a time that the',
          'clocks of the zone skip or show twice; the error gives both offsets. An offset that is written wins over the zone.',
        ),
      ],
    },
    {
      heading: 'Durations',
      blocks: [
        text(
          'Numbers with the units `w`, `d`, `h`, `m` (minutes), `s` and `ms`, large before small, each at most once: `30s`, `8h`,',
          '`1h30m`, `1.5h`, `2d`; ten years at most. A number without a unit is refused. The time for a call (`--timeout`, the',
          'setting `timeout`) is one number with one unit, a day at most.',
        ),
      ],
    },
    {
      heading: 'Zones',
      blocks: [
        text(
          '`--tz` takes a name of the IANA database (`Asia/Seoul`), `local` for the zone of this machine, or `utc`. An offset is',
          'not a zone: it is written behind the time.',
        ),
      ],
    },
    {
      heading: 'How times are shown',
      blocks: [
        text(
          'In a table on a terminal, in the zone of this machine with its offset: `2026-12-01 09:00:00 +09:00`. Off a terminal,',
          'and in every other format, as the service wrote them. `--utc` and `--tz` convert the times of tables. A time of the',
          'service without a zone is shown as it is.',
        ),
        text('A push that is scheduled is sent in UTC; both that and the local time are shown before it is.'),
      ],
    },
    {
      heading: 'Examples',
      blocks: [
        examples(
          ['A room for an hour, from two hours on', 'roomctl room create Review --created-by ann --start +2h --for 1h'],
          [
            'A room at nine in Seoul',
            'roomctl room create Standup --created-by ann --start 2027-12-01T09:00 --tz Asia/Seoul --for 30m --dry-run',
          ],
          ['The rooms with their times in UTC', 'roomctl room list --utc'],
        ),
      ],
    },
  ],
}
