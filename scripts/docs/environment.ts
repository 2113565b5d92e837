import {operations} from '../../src/contract/operations.js'
import {routeVariable, tokenVariable} from '../../src/profile/environment.js'
import {settings} from '../../src/profile/settings.js'
import {code, page, prose, sentence, table} from './markdown.js'

const services = ['room', 'asset', 'push'] as const

/** Variables beside those of the settings: roomctl's own, and those of the system that it heeds. */
const others: readonly (readonly [variable: string, what: string])[] = [
  ['ROOMCTL_PROFILE', 'the profile to use, where no `-p` names one'],
  ['ROOMCTL_NO_INPUT', 'anything but empty: never ask, as with `--no-input`'],
  ['ROOMCTL_DEBUG', 'show each request and answer on stderr, as with `--debug`; `0` and `false` do not'],
  ['ROOMCTL_CONFIG_DIR', 'folder of the profile file, instead of `~/.config/roomctl`'],
  ['ROOMCTL_STATE_DIR', 'folder of the journal, instead of `~/.local/state/roomctl`'],
  ['ROOMCTL_CACHE_DIR', 'folder of the compiled code, instead of `~/.cache/roomctl`'],
]

const system: readonly (readonly [variable: string, what: string])[] = [
  [
    'XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME',
    'where the folders of roomctl lie; absolute paths only',
  ],
  ['LOCALAPPDATA', 'the same on Windows'],
  [
    'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    'the proxy to go through, and what goes without it; lower case wins, `ALL_PROXY` is not heeded',
  ],
  ['NODE_EXTRA_CA_CERTS', 'a PEM file of certificates to trust as well'],
  ['NO_COLOR', 'anything but empty: no colour'],
  ['FORCE_COLOR, CLICOLOR_FORCE', 'colour also where stdout is not a terminal'],
  ['CLICOLOR', '`0`: no colour'],
  ['TERM', '`dumb`: no colour, and questions as plain lines'],
  ['ACCESSIBLE', '`1`: questions as plain numbered lines that nothing repaints'],
  ['CI', 'anything but empty: never ask'],
]

/** Every variable that does something today. */
export function environmentPage(): string {
  const used = settings.filter(({env}) => env !== undefined)
  return page(
    'Environment',
    'A flag wins over a variable, a variable over the profile, the profile over the default. An empty variable counts as ' +
      'unset. With an address and a token the environment alone is enough, and no profile is needed. No variable answers ' +
      'a question: there is none for `--yes`.',
    '## Settings',
    table(
      ['Variable', 'What it sets', 'Default'],
      used.map(({env = '', what, default: otherwise}) => [
        code(env),
        sentence(prose(what)),
        otherwise === undefined ? '' : code(otherwise),
      ]),
    ),
    '## Tokens',
    'A token in the environment is used as it is and stored nowhere.',
    table(
      ['Variable', 'What it is'],
      services.map((service) => [code(tokenVariable(service)), `The token of the ${service} service.`]),
    ),
    '## Routes',
    'Method and path of one operation, as `METHOD /path` or as the object that [moves and renames parameters]' +
      '(operations.md#routes-of-your-own); `config route list` shows what holds and why.',
    operations.map(({id}) => code(routeVariable(id))).join(' '),
    '## Others of roomctl',
    table(['Variable', 'What it does'], others.map(variableRow)),
    '## Of the system',
    table(['Variable', 'What it does'], system.map(variableRow)),
  )
}

function variableRow([variable, what]: readonly [string, string]): string[] {
  return [variable.split(', ').map(code).join(' '), sentence(what)]
}
