import {readings} from '../../api/contract/readings.js'
import {article, code, examples, introduction, sectionOf, table, text} from './article.js'

export const sandbox = article(
  'Sandbox',
  introduction(
    text(
      'The three services inside the tool: `-p sandbox` uses them without a network, `roomctl sandbox start` serves them over HTTP.',
      'They share no code with the client but the contract.',
    ),
  ),
  sectionOf(
    'Readings of the documents',
    text(
      'Where the documents differ or are silent, `--document KEY=VALUE` of `sandbox start` and `sandbox reset` says how to read',
      'them. The first value is the default; `sandbox status` shows what was chosen. In brackets: document, section, rule.',
    ),
    table(
      ['Key', 'What is read so, and where'],
      Object.entries(readings).map(([key, [, values, place, what]]) => [
        code(`${key}=${values.join('|')}`),
        `${what} (${place})`,
      ]),
    ),
  ),
  sectionOf(
    'Examples',
    examples(
      ['A service that cannot delete ENDED rooms', 'roomctl sandbox reset --seed demo --document delete-ended=refuse'],
      ['One without HEAD whose connections break', 'roomctl sandbox reset --document no-head=yes --cut-after 1MiB'],
    ),
  ),
)
