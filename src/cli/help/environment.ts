import {operations} from '../../api/contract/operations.js'
import {routeVariable, tokenVariable} from '../../storage/profile/resolve.js'
import {settings} from '../../storage/profile/settings.js'
import {article, code, introduction, sectionOf, sentence, table, text} from './article.js'

type Variable = readonly [names: string, what: string]

const tokens: readonly Variable[] = (['room', 'asset', 'push'] as const).map((service) => [
  tokenVariable(service),
  `the token of the ${service} service`,
])

/** roomctl's own, beside those of the settings. */
const own: readonly Variable[] = [
  ['ROOMCTL_PROFILE', 'profile to use without `-p`'],
  ['ROOMCTL_NO_INPUT', 'if not empty: never prompt, as with `--no-input`'],
  ['ROOMCTL_DEBUG', 'show requests and responses on stderr, as with `--debug`; `0` and `false` turn it off'],
  ['ROOMCTL_CONFIG_DIR', 'folder of the profile file, instead of `~/.config/roomctl`'],
  ['ROOMCTL_STATE_DIR', 'folder of the journal and the upload ledger, instead of `~/.local/state/roomctl`'],
  ['ROOMCTL_CACHE_DIR', 'folder of compiled code and the completion cache, instead of `~/.cache/roomctl`'],
]

/** Those of the system that are read. */
const system: readonly Variable[] = [
  ['XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME', 'base folders of roomctl; absolute paths only'],
  ['LOCALAPPDATA', 'base folder on Windows'],
  [
    'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    'proxy, and hosts that bypass it; lower case wins, `ALL_PROXY` is ignored, plain http to this machine is never proxied',
  ],
  ['NODE_EXTRA_CA_CERTS', 'PEM file of additional CA certificates'],
  ['NO_COLOR', 'if not empty: no colour'],
  ['FORCE_COLOR, CLICOLOR_FORCE', 'colour even if stdout is not a terminal'],
  ['CLICOLOR', '`0`: no colour'],
  ['TERM', '`dumb`: no colour, plain prompts'],
  [
    'ACCESSIBLE',
    '`1`, for a screen reader: no repainting (numbered prompts, progress as lines, no pager), lists as blocks of `NAME: value`, no truncation, words instead of symbols',
  ],
  ['CI', 'if not empty: never prompt'],
  ['GITHUB_ACTIONS, GITLAB_CI', '`true`: uploads write the log of that CI system (`--ci auto`)'],
  ['GITHUB_STEP_SUMMARY, GITHUB_WORKSPACE', 'file that gets the results of uploads, and folder of the checkout'],
  ['SHELL', 'shell for `completion`, if none is named'],
  ['BASH_COMPLETION_USER_DIR, ZDOTDIR', 'where `completion --install` puts the bash script, and looks for `.zshrc`'],
]

function variables(list: readonly Variable[], heading = 'Effect') {
  return table(
    ['Variable', heading],
    list.map(([names, what]) => [names.split(', ').map(code).join(', '), sentence(what)]),
  )
}

/** The variables of the settings, each with its default. */
const ofSettings: readonly Variable[] = settings.flatMap(({env, what, default: otherwise}) =>
  env === undefined ? [] : [[env, otherwise === undefined ? what : `${what}; ${code(otherwise)} unless set`]],
)

export const environment = article(
  'Environment',
  introduction(
    text(
      'Flags override variables, variables override the profile, the profile overrides the default. An empty variable counts as',
      'unset. With an address and a token in the environment no profile is needed. No variable answers',
      'a prompt: none replaces `--yes`. `roomctl config list` shows every setting and the source of its value.',
    ),
  ),
  sectionOf('Settings', variables(ofSettings, 'Setting')),
  sectionOf(
    'Secrets',
    text('A secret in the environment is used unchanged and never stored.'),
    variables(
      [...tokens, ['ROOMCTL_P12_PASSWORD', 'password of a .p12 file, unless it comes from stdin or a file']],
      'Value',
    ),
  ),
  sectionOf(
    'Routes',
    text(
      'Method and path of one operation: `METHOD /path`, or an object that [moves and renames',
      'parameters](operations.md#routes-of-your-own); `roomctl config route list` shows the routes in effect and their source. A variable is',
      'named after its operation:',
    ),
    text(operations.map(({id}) => code(routeVariable(id))).join(' ')),
  ),
  sectionOf('Other roomctl variables', variables(own)),
  sectionOf('System variables', variables(system)),
)
