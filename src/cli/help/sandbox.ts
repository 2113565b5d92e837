import {readings} from '../../api/contract/readings.js'
import {type Article, code, examples, table, text} from './article.js'

export const sandbox: Article = {
  title: 'Sandbox',
  sections: [
    {
      blocks: [
        text(
          'The sandbox is the three services inside the tool: `-p sandbox` uses it without a network, `roomctl sandbox start` serves it',
          'over HTTP. It keeps rooms, files and pushes in a folder of this machine and shares no code with the client but the contract.',
        ),
      ],
    },
    {
      heading: 'Readings of the documents',
      blocks: [
        text(
          'Where the documents differ or are silent, `--document KEY=VALUE` of `sandbox start` and `sandbox reset` says how to read',
          'them. The first value is the default; `sandbox status` shows what was chosen. In brackets: the document and its section.',
        ),
        table(
          ['Key', 'What is read so, and where'],
          Object.entries(readings).map(([key, [, values, place, what]]) => [
            code(`${key}=${values.join('|')}`),
            `${what} (${place})`,
          ]),
        ),
      ],
    },
    {
      heading: 'Examples',
      blocks: [
        examples(
          [
            'A service that cannot delete ENDED rooms',
            'roomctl sandbox reset --seed demo --document delete-ended=refuse',
          ],
          [
            'One without HEAD whose connections break',
            'roomctl sandbox reset --seed demo --document no-head=yes --cut-after 1MiB',
          ],
        ),
      ],
    },
  ],
}
