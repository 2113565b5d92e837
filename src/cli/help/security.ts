import {article, sectionOf, table, text} from './article.js'

/** What is kept on this machine, and where on Linux. */
export const placesTable = table(
  ['Path', 'Contents'],
  [
    [
      '`~/.config/roomctl`',
      'Profiles, with tokens stored in the file, and a backup of the previous version; mode 0600.',
    ],
    [
      '`~/.local/state/roomctl/journal.ndjson`',
      'Journal: one line per change with time, operation, requester, outcome and the `--reason` given; mode 0600. Older files are deleted after `journal.keep` days (default 90); the newest five stay.',
    ],
    [
      '`~/.local/state/roomctl/uploads/uploads.jsonl`',
      'Upload ledger: target, progress and chunk digests of each upload; mode 0600. The files `uploads.jsonl.done.XX` beside it are part of it: finished uploads of long ago. `--state-dir` names another folder.',
    ],
    [
      '`~/.local/state/roomctl/rotations`',
      'How far the last `push rotate` of each application came, with ids and fingerprints and no secrets; mode 0600.',
    ],
    ['`~/.local/share/roomctl/sandbox`', 'State of the sandbox.'],
    ['`~/.cache/roomctl`', 'Compiled code, and completion results for a minute; safe to delete.'],
  ],
)

export const security = article(
  'Security',
  sectionOf(
    'Secrets',
    text(
      'No flag takes a secret: command lines are visible to other users and stored by shells. `config login` reads a',
      'token from stdin, a file, a command or a hidden prompt; passwords, server keys and device tokens come from stdin, a',
      'file or a hidden prompt. The [environment](environment.md) may hold a token, or the password of a .p12 file.',
    ),
    text(
      'A token is stored in the profile file (0600), or in the system keyring if `tokenStore` is `keyring`,',
      'which requires the package `@napi-rs/keyring`. With `--token-command` it is not stored: the command runs each time.',
    ),
    text(
      'Secrets are masked in `--debug`, `--dry-run`, errors, reports and `config list`, and are never in the journal or the',
      'ledger. `push show` masks the server key unless `--reveal` is given. The output of `attendee token` is itself a secret.',
    ),
    text(
      'A service may echo a secret that it was sent. In errors, warnings and `--debug` it is masked in plain form, in percent-encoding,',
      'in JSON and in base64, as is any part of 12 or more characters (16 if it is only words); in results it is',
      'masked in plain form and in percent-encoding. `NODE_DEBUG=stream` or `*` makes Node print what it reads, so no token is sent then.',
    ),
  ),
  sectionOf(
    'Where a token goes',
    text(
      'A token is bound to the origin it was stored for: if the address changes, it is not sent, and roomctl asks',
      'for a new login. Redirects are not followed, nor an upload Location on another origin. A token is sent over',
      'https only, or over http to this machine, unless a profile says `allowHttp`. Plain http to this machine goes ' +
        'through no proxy, and `localhost` always means this machine.',
    ),
    text(
      'Certificates are always verified, even with `NODE_TLS_REJECT_UNAUTHORIZED=0`. `--ca-file`, the setting `caFile` and',
      '`NODE_EXTRA_CA_CERTS` add certificates to trust.',
    ),
  ),
  sectionOf(
    'Before a change',
    text(
      'Small changes that can be undone need no confirmation. `room end`, `attendee block` and `push cancel` ask for a yes, `room',
      'delete` for the name or id of the room, several targets for their number; `--yes` skips these, and `--max` still applies.',
      '`--confirm VALUE` gives the name, the id or the number, and any other value stops the change.',
      'A push to all users and replacing a credential ask for the application id, and any change on a `protected` profile',
      'for its name: only `--confirm VALUE` answers that. No environment variable does.',
    ),
    text(
      'A push credential is not sent to a route that is only assumed: set it with `config route set` or `config route import`, or',
      'add `--allow-assumed`. A server key is asked about, because Google shut its interface down; `--legacy` answers.',
    ),
    text(
      'If roomctl cannot ask, nothing is sent, and the exit code is 13. A `readOnly` profile',
      'sends no changes. `--dry-run` shows what would be sent.',
    ),
    text(
      '`--read-only`, or `ROOMCTL_READ_ONLY` with anything but `0` (also `false` and `no`), forbids every change on every profile, the',
      'sandbox included: exit 13, code `read-only`, nothing sent, no question, no journal line, whatever `--yes` or `--confirm` says. That',
      'holds for `apply`, `undo`, `attendee token`, `asset forget` and `api POST`, too. Reads, dry runs, plans, downloads and `config` work.',
    ),
  ),
  sectionOf(
    'Server text',
    text(
      'Control and invisible characters in names, ids, messages and file names of a service are escaped, so that',
      'they cannot move the cursor, forge a line or hide text. Regular expressions in selectors run in linear time.',
    ),
  ),
  sectionOf('Local files', text('`roomctl config path -o json` prints the paths. On Linux they are:'), placesTable),
)
