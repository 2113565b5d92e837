import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {isPlain, wordsOf} from '../support/inOneProcess.js'
import {pjson, readText, root} from '../support/repository.js'
import {Machine} from './machine.js'
import {type Ending, endingsIn, lineOf, noteExit, typedOf, typedPages, withOutputs} from './readme.js'

test(
  'a newcomer who types every line of a page into one shell sees the ends and outputs that it shows (vitest -u writes them)',
  {
    timeout: 400_000,
  },
  () =>
    everyCase(
      typedPages,
      async (page) => {
        const text = readText(page)
        const typed = typedOf(text)
        const ran = await typeAll(typed.map(({line}) => line))
        const wrong = typed.flatMap(({line, exit}, at) => (ran[at]?.exit === exit ? [] : [{line, ...ran[at]}]))
        expect(wrong, JSON.stringify(wrong, null, 2)).toEqual([])
        const outputs = typed.flatMap(({shown}, at) => (shown ? [timeless(ran[at]?.text ?? '')] : []))
        await expect(withOutputs(text, outputs)).toMatchFileSnapshot(path.join(root, page))
      },
      {atOnce: 2},
    ),
)

/** Types the lines into one shell; gives what each printed and its exit code. Plain lines in a row share a process. */
async function typeAll(lines: readonly string[]): Promise<Ending[]> {
  const machine = Machine.make({
    // Downloads are replaced by files of the checkout.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${root}.insteadOf`,
    GIT_CONFIG_VALUE_0: pjson.repository.url.replace(/^git\+/u, ''),
    npm_config_offline: 'true',
    npm_config_ignore_scripts: 'true',
  })
  try {
    const words = wordsOf(lines.filter(isPlain))
    const parts: string[] = []
    for (let at = 0; at < lines.length; at += 1) {
      const end = lines.findIndex((line, later) => later >= at && !isPlain(line))
      const calls = words.splice(0, (end === -1 ? lines.length : end) - at)
      if (calls.length === 0) parts.push(`{ ${lines[at]}\n}\n${noteExit}`)
      else parts.push(lineOf(calls, path.join(machine.folder, `${at}.json`)))
      at += Math.max(0, calls.length - 1)
    }
    const prefix = `export npm_config_prefix='${path.join(machine.folder, 'global')}'`
    writeFileSync(path.join(machine.folder, 'page.sh'), ['exec 2>&1', prefix, ...parts].join('\n'))
    const {stdout} = await machine.type('sh ../page.sh', 240_000)
    return endingsIn(stdout, lines.length)
  } finally {
    machine.remove()
  }
}

/** How long a run took is another time each time. */
function timeless(text: string): string {
  return text.replaceAll(/ in \d+(?:\.\d+)? s$/gmu, ' in 0.2 s')
}
