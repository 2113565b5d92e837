import {article, examples, sectionOf, table, text} from './article.js'

export const times = article(
  'Times',
  sectionOf(
    'Moments',
    text('Times (`--start`, `--end`, `--at`, `start` and `end` of a selector) take these forms:'),
    table(
      ['Form', 'Meaning'],
      [
        ['`2026-12-01T09:00+09:00`', 'RFC 3339 with an offset or `Z`; seconds are optional, a space may replace the T'],
        ['`now`', 'this moment'],
        ['`+2h`, `-30m`', '2 hours from now, 30 minutes ago'],
        ['`2h`', '2 hours ago, for past times only: `--since` and `--until` of `history`'],
        ['`2026-12-01T09:00`', 'local time in the zone of `--tz`, `ROOMCTL_TZ` or the setting `tz`'],
      ],
    ),
    text(
      'A time without an offset or zone is refused because it is ambiguous. So is a time that the',
      'clocks of the zone skip or show twice; the error gives both offsets. An explicit offset overrides the zone.',
    ),
  ),
  sectionOf(
    'Durations',
    text(
      'Numbers with the units `w`, `d`, `h`, `m` (minutes), `s` and `ms`, from large to small, each at most once: `30s`, `8h`,',
      '`1h30m`, `1.5h`, `2d`; at most ten years. A number without a unit is refused. The time limit of a call (`--timeout`, the',
      'setting `timeout`) is one number with one unit, at most a day.',
    ),
  ),
  sectionOf(
    'Zones',
    text(
      '`--tz` takes a name of the IANA database (`Asia/Seoul`), `local` for the zone of this machine, or `utc`. An offset is',
      'not a zone: write it after the time.',
    ),
  ),
  sectionOf(
    'How times are shown',
    text(
      'In a table on a terminal, times are in the zone of this machine with its offset: `2026-12-01 09:00:00 +09:00`. In a pipe',
      'and in every other format, they are as the service sent them. `--utc` and `--tz` convert the times of tables. A time of the',
      'service without a zone is shown as it is.',
    ),
    text('The time of a scheduled push is sent in UTC; UTC and local time are shown before it is sent.'),
  ),
  sectionOf(
    'Examples',
    examples(
      ['Create a room in two hours, for an hour', 'roomctl room create Review --created-by ann --start +2h --for 1h'],
      [
        'Create a room at nine in Seoul',
        'roomctl room create Standup --created-by ann --start 2027-12-01T09:00 --tz Asia/Seoul --for 30m --dry-run',
      ],
      ['Show times in UTC', 'roomctl room list --utc'],
    ),
  ),
)
