import {operations} from '../../api/contract/operations.js'
import {routeVariable, tokenVariable} from '../../storage/profile/environment.js'
import {settings} from '../../storage/profile/settings.js'
import {type Article, code, sentence, table, text} from './article.js'

type Variable = readonly [names: string, what: string]

const tokens: readonly Variable[] = (['room', 'asset', 'push'] as const).map((service) => [
  tokenVariable(service),
  `the token of the ${service} service`,
])

/** roomctl's own, beside those of the settings. */
const own: readonly Variable[] = [
  ['ROOMCTL_PROFILE', 'the profile to use, where no `-p` names one'],
  ['ROOMCTL_NO_INPUT', 'anything but empty: never ask, as with `--no-input`'],
  ['ROOMCTL_DEBUG', 'show each request and answer on stderr, as with `--debug`; `0` and `false` do not'],
  ['ROOMCTL_CONFIG_DIR', 'folder of the profile file, instead of `~/.config/roomctl`'],
  ['ROOMCTL_STATE_DIR', 'folder of the journal and of the ledger of uploads, instead of `~/.local/state/roomctl`'],
  ['ROOMCTL_CACHE_DIR', 'folder of the compiled code and of what completion keeps, instead of `~/.cache/roomctl`'],
]

/** Those of the system that are read. */
const system: readonly Variable[] = [
  [
    'XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME',
    'where the folders of roomctl lie; absolute paths only',
  ],
  ['LOCALAPPDATA', 'the same on Windows'],
  [
    'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    'the proxy to go through, and what goes without it; lower case wins, `ALL_PROXY` is ignored, plain http to this machine is never proxied',
  ],
  ['NODE_EXTRA_CA_CERTS', 'a PEM file of certificates to trust as well'],
  ['NO_COLOR', 'anything but empty: no colour'],
  ['FORCE_COLOR, CLICOLOR_FORCE', 'colour also where stdout is not a terminal'],
  ['CLICOLOR', '`0`: no colour'],
  ['TERM', '`dumb`: no colour, and questions as plain lines'],
  [
    'ACCESSIBLE',
    '`1`, for a screen reader: nothing is drawn again (questions as plain numbered lines, progress as lines, no pager), nothing is cut, and words instead of signs',
  ],
  ['CI', 'anything but empty: never ask'],
  ['SHELL', 'the shell that `completion` is for, where none is named'],
  [
    'BASH_COMPLETION_USER_DIR, ZDOTDIR',
    'where `completion --install` puts the script of bash, and expects the start file of zsh',
  ],
]

function variables(list: readonly Variable[], heading = 'What it does') {
  return table(
    ['Variable', heading],
    list.map(([names, what]) => [names.split(', ').map(code).join(', '), sentence(what)]),
  )
}

/** The variables of the settings, each with its default. */
const ofSettings: readonly Variable[] = settings.flatMap(({env, what, default: otherwise}) =>
  env === undefined ? [] : [[env, otherwise === undefined ? what : `${what}; ${code(otherwise)} unless set`]],
)

/** Every variable that does something. */
export const environment: Article = {
  title: 'Environment',
  sections: [
    {
      blocks: [
        text(
          'A flag wins over a variable, a variable over the profile, the profile over the default. An empty variable counts as',
          'unset. With an address and a token the environment alone is enough, and no profile is needed. No variable answers',
          'a question: there is none for `--yes`. `roomctl config list` shows every setting with where its value comes from.',
        ),
      ],
    },
    {heading: 'Settings', blocks: [variables(ofSettings, 'What it sets')]},
    {
      heading: 'Secrets',
      blocks: [
        text('A secret in the environment is used as it is and stored nowhere.'),
        variables(
          [
            ...tokens,
            ['ROOMCTL_P12_PASSWORD', 'the password of a .p12 file, where neither stdin nor a file is named for it'],
          ],
          'What it is',
        ),
      ],
    },
    {
      heading: 'Routes',
      blocks: [
        text(
          'Method and path of one operation, as `METHOD /path` or as the object that [moves and renames',
          'parameters](operations.md#routes-of-your-own); `roomctl config route list` shows what holds and why. A variable is',
          'named after its operation:',
        ),
        text(operations.map(({id}) => code(routeVariable(id))).join(' ')),
      ],
    },
    {heading: 'Others of roomctl', blocks: [variables(own)]},
    {heading: 'Of the system', blocks: [variables(system)]},
  ],
}
