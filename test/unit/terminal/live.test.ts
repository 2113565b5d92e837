import {describe, expect, onTestFinished, test} from 'vitest'
import {Live} from '../../../src/terminal/live.js'
import {Screen} from '../../support/screen.js'

const bar = (name: string, width: number) => `${name} ${'#'.repeat(width - name.length - 1)}`

async function started(columns = 80, rows = 24) {
  const screen = new Screen(columns, rows)
  await screen.output.write('$ roomctl asset upload\n')
  const live = new Live(screen.output, (line) => line.length)
  onTestFinished(() => live.end())
  return {screen, live}
}

describe('a block', () => {
  test('is drawn in its place repeatedly, and each frame is one write', async () => {
    const {screen, live} = await started()
    live.draw(['one 1%', 'two 1%'])
    live.draw(['one 2%', 'two 2%'])
    live.draw(['one 3%', 'two 3%'])
    expect(await screen.lines()).toEqual(['$ roomctl asset upload', 'one 3%', 'two 3%'])
    expect(screen.writes).toHaveLength(4)
  })

  test('erases nothing before it draws something else', async () => {
    const {screen, live} = await started()
    live.draw(['one'])
    live.draw(['two'])
    const frame = screen.writes.at(-1) ?? ''
    expect(frame.indexOf('two')).toBeLessThan(frame.indexOf('\u001b[K'))
    expect(frame.indexOf('two')).toBeLessThan(frame.indexOf('\u001b[J'))
  })

  test('is not written if nothing has changed', async () => {
    const {screen, live} = await started()
    live.draw(['one'])
    live.draw(['one'])
    expect(screen.writes).toHaveLength(2)
  })

  test('leaves nothing of longer frames behind', async () => {
    const {screen, live} = await started()
    live.draw(['a very long line', 'second', 'third'])
    live.draw(['short'])
    expect(await screen.lines()).toEqual(['$ roomctl asset upload', 'short'])
    live.draw(['short', 'again'])
    expect(await screen.lines()).toEqual(['$ roomctl asset upload', 'short', 'again'])
  })

  test('disappears at its end, and the cursor is back where it was', async () => {
    const {screen, live} = await started()
    live.draw(['one', 'two'])
    expect(await screen.showsCursor()).toBe(false)
    live.end()
    expect(await screen.showsCursor()).toBe(true)
    await screen.output.write('uploaded 2 files\n')
    expect(await screen.lines()).toEqual(['$ roomctl asset upload', 'uploaded 2 files'])
  })

  test('shows its last lines where it is higher than the terminal', async () => {
    const {screen, live} = await started(80, 5)
    for (const frame of ['1', '2', '3']) live.draw(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}${frame}`))
    expect((await screen.lines()).slice(-4)).toEqual(['c3', 'd3', 'e3', 'f3'])
    expect((await screen.lines()).filter((line) => line.startsWith('f'))).toEqual(['f3'])
  })
})

describe('what others write', () => {
  test('appears above the block', async () => {
    const {screen, live} = await started()
    live.draw(['one 1%', 'total 1%'])
    await screen.output.write('warning: the service knows no sha1\nand goes on\n')
    live.draw(['one 2%', 'total 2%'])
    const expected = [
      '$ roomctl asset upload',
      'warning: the service knows no sha1',
      'and goes on',
      'one 2%',
      'total 2%',
    ]
    expect(await screen.lines()).toEqual(expected)
  })

  test('scrolls away at the foot of the screen, and the block stays whole', async () => {
    const {screen, live} = await started(80, 6)
    live.draw(['one', 'total'])
    for (let i = 1; i <= 20; i += 1) await screen.output.write(`note ${i}\n`)
    const lines = await screen.lines()
    expect(lines.slice(-4)).toEqual(['note 19', 'note 20', 'one', 'total'])
    expect(lines.filter((line) => line === 'total')).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith('note'))).toHaveLength(20)
  })
})

test.each([
  ['narrower', 50],
  ['half of it and less', 33],
  ['wider', 120],
])('a terminal that changes its width and becomes %s keeps one block', async (_, columns) => {
  const {screen, live} = await started(80)
  const frame = (width: number) => ['한글.bundle', 'two.bundle', 'total'].map((name) => bar(name, width - 4))
  live.draw(frame(80))
  screen.resize(columns)
  live.draw(frame(columns))
  expect(await screen.lines()).toEqual(['$ roomctl asset upload', ...frame(columns)])
})

describe('the process', () => {
  test('gets its cursor back when it exits early', async () => {
    const {screen, live} = await started()
    live.draw(['one'])
    for (const listener of process.listeners('exit').slice(-1)) listener.call(process, 1)
    expect(await screen.showsCursor()).toBe(true)
    expect(await screen.lines()).toEqual(['$ roomctl asset upload'])
  })

  test('keeps no listener of an ended block', async () => {
    const count = () => ['exit', 'SIGTSTP', 'SIGQUIT'].reduce((sum, name) => sum + process.listenerCount(name), 0)
    const before = count()
    const {live} = await started()
    live.draw(['one'])
    expect(count()).toBe(before + 3)
    live.end()
    live.end()
    expect(count()).toBe(before)
  })
})
