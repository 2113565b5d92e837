/** A typed line, its exit code, and its output. */
export interface WindowsLine {
  readonly line: readonly string[]
  readonly exit?: number
  readonly says: RegExp
}

const typed = (line: string, says: RegExp, exit = 0): WindowsLine => ({line: line.split(' '), says, exit})

/** A path of more than 260 characters below the folder. */
const long = `${'long-folder-name-'.repeat(8)}\\${'long-folder-name-'.repeat(8)}`

/** Lines of a user of Windows, in order, in a folder with `token.cmd` and `refused.cmd`; `folder` is that folder on its drive. */
export function windowsLines(folder: string): WindowsLine[] {
  return [
    typed('--version', /^roomctl\/\S+ win32-x64 node-v20/u),
    typed('--help', /TOPICS[\s\S]*sandbox/u),
    typed('room list --help', /--status/u),
    typed('help environment', /ROOMCTL_CONFIG_DIR/u),
    typed('room lits', /unknown command "room lits"/u, 2),
    typed('config get file', /^C:\\users\\.*\\roomctl\\config\\config\.json/u),
    typed('sandbox seed --files .', /seeded 13 rooms/u),
    typed('config profile use sandbox', /sandbox/u),
    typed('room list', /r-standup +Daily standup/u),
    typed('room list -o json', /"room_id": "r-standup"/u),
    typed('room list -o csv', /\nr-standup,Daily standup,/u),
    typed('room list --match Daily* -q', /^r-standup\r?\n$/u),
    typed('room show r-standup -o yaml', /name: Daily standup/u),
    typed('room end r-standup --dry-run', /POST|DELETE|PUT/u),
    typed('room end r-standup --yes', /ended room r-standup/u),
    typed('room end r-review --yes', /cannot end room r-review/u, 7),
    typed('history', /room\.end +r-standup/u),
    typed('attendee list r-townhall', /NAME|ID|USER/u),
    typed('attendee add r-townhall zoe', /zoe/u),
    typed('record list r-townhall', /r-townhall|no recordings|RECORD|ID/iu),
    typed('explain ER001', /ER001/u),
    typed('api room GET /v1/rooms', /r-townhall/u),
    typed('config list', /timeout/u),
    typed('asset create games/win --description Windows', /games\/win/u),
    typed('asset sync games/win build --platform ios', /uploaded \d+ files/u),
    typed('asset sync games/win .\\build --platform ios', /nothing uploaded/u),
    typed('asset sync games/win build --platform ios --check', /no differences/u),
    {
      line: ['asset', 'upload', 'games/win', `${folder}\\big.bundle`, '--platform', 'ios', '--description', 'D:\\big'],
      says: /uploaded 1 file/u,
    },
    {
      line: [
        'asset',
        'upload',
        'games/win',
        `\\\\?\\${folder}\\${long}\\deep.bundle`,
        '--platform',
        'ios',
        '--description',
        'deep',
      ],
      says: /uploaded 1 file/u,
    },
    typed('asset list games/win', /big\.bundle/u),
    typed('asset download games/puzzle/a-logo --dir downloads', /downloads/u),
    typed('asset download games/puzzle/a-logo --to downloads\\copy.png', /copy\.png/u),
    typed('asset uploads', /no uploads|unfinished|upload/iu),
    typed('push inspect AuthKey_ABC123DEFG.p8', /ABC123DEFG/u),
    typed('push show --application-id app-1', /app-1|IOS/iu),
    typed('config profile add live --room-url https://127.0.0.1:9/media', /added profile live/u),
    {
      line: ['config', 'login', 'room', '-p', 'live', '--no-check', '--token-command', `${folder}\\token.cmd auth`],
      says: /token/u,
    },
    typed('config set timeout 45s -p live', /timeout/u),
    typed('config get timeout -p live', /^45s/u),
    typed('room list -p live --retries 0', /cannot reach 127\.0\.0\.1:9/u, 10),
    {
      line: ['config', 'login', 'room', '-p', 'live', '--no-check', '--token-command', `${folder}\\refused.cmd`],
      says: /token/u,
    },
    typed('room list -p live --retries 0', /refused\.cmd failed/u, 3),
    typed('doctor', /npm package, Node v20.*win32-x64/u),
    typed('completion powershell', /Register-ArgumentCompleter/u),
  ]
}
