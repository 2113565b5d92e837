import {type Article, table, text} from './article.js'

/** What is kept on this machine, and where on Linux. */
export const placesTable = table(
  ['Where', 'What'],
  [
    [
      '`~/.config/roomctl`',
      'Profiles, with the tokens that are stored in the file, and the version before as a backup; files 0600.',
    ],
    [
      '`~/.local/state/roomctl/journal.ndjson`',
      'Journal: one line for every change, with when, what, as whom and the outcome; 0600. The setting `journal.path` names another file, which must be new, empty or such a journal. Older files are deleted after `journal.keep` days (default 90); the newest five stay.',
    ],
    [
      '`~/.local/state/roomctl/uploads/uploads.jsonl`',
      'Ledger of uploads: where each goes, how far it is, digests of its chunks; 0600. `uploads.jsonl.index` beside it is a cache that can be deleted. `--state-dir` names another folder.',
    ],
    ['`~/.local/share/roomctl/sandbox`', 'State of the sandbox.'],
    [
      '`~/.cache/roomctl`',
      'Compiled code of the program, and for a minute what completion was told; can be deleted at any time.',
    ],
  ],
)

export const security: Article = {
  title: 'Security',
  sections: [
    {
      heading: 'Secrets',
      blocks: [
        text(
          'No flag takes a secret: other users of a machine see command lines, and shells keep them. `config login` reads a',
          'token from stdin, a file, a command or a hidden prompt; passwords, server keys and device tokens come from stdin, a',
          'file or a hidden prompt. The [environment](environment.md) may hold a token, or the password of a .p12 file.',
        ),
        text(
          'A stored token lies in the profile file (0600), or with `tokenStore` set to `keyring` in the keyring of the system,',
          'which takes the package `@napi-rs/keyring`. With `--token-command` it is stored nowhere: the command is run each time.',
        ),
        text(
          'Secrets are masked in `--debug`, `--dry-run`, errors, reports and `config list`, and are never in the journal or the',
          'ledger. `push show` masks the server key unless `--reveal` is given. What `attendee token` prints is a secret itself.',
        ),
        text(
          'A service may repeat a secret that it was sent. In errors, warnings and `--debug` it is masked as it is, in percent, in',
          'JSON and in base64, and so is every piece of 12 or more of its characters (16 where it is words alone); in results it is',
          'masked as it is and in percent. Under `NODE_DEBUG=stream` or `*` Node prints what is read, so no token is sent then.',
        ),
      ],
    },
    {
      heading: 'Where a token goes',
      blocks: [
        text(
          'A token is bound to the origin it was stored for: when the address moves elsewhere it is not sent, and roomctl asks',
          'for a new login. No redirect is followed, and no Location of an upload to another origin. A token is sent over',
          'https only, or over http to this machine, unless a profile says `allowHttp`. Plain http to this machine goes ' +
            'through no proxy, and `localhost` is this machine whatever a resolver says.',
        ),
        text(
          'Certificates are always checked, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. `--ca-file`, the setting `caFile` and',
          '`NODE_EXTRA_CA_CERTS` add certificates to trust.',
        ),
      ],
    },
    {
      heading: 'Before a change',
      blocks: [
        text(
          'What is small and can be undone asks nothing. `room end`, `attendee block` and `push cancel` ask for a yes, `room',
          'delete` for the name of the room, several targets for their number; `--yes` answers these, and `--max` still limits their number.',
          'A push to all users and the replacing of a credential ask for the id of the application, and any change on a profile',
          'that is `protected` for its name: only `--confirm VALUE` answers that. No environment variable answers anything.',
        ),
        text(
          'Where nobody can be asked and nothing was answered, nothing is sent, and the exit code is 13. A profile that is',
          '`readOnly` sends no change at all. `--dry-run` shows what would be sent.',
        ),
      ],
    },
    {
      heading: 'What a server says',
      blocks: [
        text(
          'Names, ids, messages and file names of a service are shown with control and invisible characters written out, so that',
          'none of them can move the cursor, forge a line or hide a part. The regular expressions of selectors always end.',
        ),
      ],
    },
    {
      heading: 'Where things are kept',
      blocks: [text('`roomctl config path -o json` names the places. On Linux they are:'), placesTable],
    },
  ],
}
