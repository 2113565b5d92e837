import {commonFlags, commonGroups} from '../flags/flags.js'
import {article, introduction, table, text} from './article.js'
import {effectOf, type FlagHelp, formOf} from './commandHelp.js'

export const flags = article(
  'Common flags',
  introduction(
    text(
      'The help of a command shows its own flags and names the common ones that it takes; `roomctl COMMAND --help --all` shows all',
      'of them. A common flag that means something else in a command is in its help, too.',
    ),
    text(
      'Every command takes `--help`. Before the command every common flag is accepted, as in `roomctl -o json config path`, and ignored',
      'if the command has no use for it; only `--dry-run` is then refused. A flag wins over its [environment variable](environment.md),',
      'which wins over the profile.',
    ),
  ),
  ...Object.entries(commonGroups).map(([group, heading]) => ({
    heading,
    blocks: [
      table(
        ['Flag', 'Effect'],
        Object.entries(commonFlags)
          .filter(([, {helpGroup}]) => helpGroup === group)
          .map(([name, flag]) => [`\`${formOf({...flag, name} as FlagHelp)}\``, effectOf({...flag, name} as FlagHelp)]),
      ),
    ],
  })),
)
