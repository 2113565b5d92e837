import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import headless, {type IBufferCell} from '@xterm/headless'
import {endTerminals, onTerminal} from '../test/support/pty.js'

/** The path of the README's recording, below the root. */
export const recordingFile = 'docs/recording.svg'

const columns = 80
const rows = 24
/** The input, and the text to wait for before it. */
const typed = [
  {expect: '$ ', send: 'roomctl sandbox seed --files .\r'},
  {expect: '$ ', send: 'roomctl config profile use sandbox\r'},
  {expect: '$ ', send: 'roomctl room list --status meeting --older-than 1h\r'},
  {expect: '$ ', send: "roomctl room end --match 'test-*'\r"},
  {expect: 'End 2 rooms', send: '2\r'},
  {expect: '$ ', send: 'roomctl attendee why r-full gina\r'},
  {expect: '$ ', send: 'roomctl room update r-full --max 4\r'},
  {expect: '$ ', send: 'roomctl asset sync games/chess build --platform ios --create --limit-rate 64KiB\r'},
  {expect: '$ ', send: 'exit\r'},
] as const

/** Types the lines into a shell with an empty home, on a pseudo-terminal, and gives what it showed as an animated SVG. */
export async function recordTool(root: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-recording-'))
  try {
    const env = recordingHome(root, folder)
    const command = ['bash', '--norc', '--noprofile', '--noediting', '-i']
    const {terminal, timed_out, waiting} = await onTerminal({
      ...{command, env, columns, rows, timeout: 60, steps: typed},
      cwd: env.HOME,
    })
    if (timed_out || waiting !== null) throw new Error(`the recording stopped before: ${waiting}\n${terminal}`)
    const [shown = ''] = /^.*(?=\$ exit\r?\n)/su.exec(terminal) ?? []
    return drawFrames(await framesOf(shown))
  } finally {
    await endTerminals()
    rmSync(folder, {recursive: true})
  }
}

/** An empty home with `roomctl` on the PATH. */
function recordingHome(root: string, folder: string): Record<string, string> & {readonly HOME: string} {
  const bin = path.join(folder, 'bin')
  const home = path.join(folder, 'home')
  for (const made of [bin, home]) mkdirSync(made)
  symlinkSync(path.join(root, 'bin/run.cjs'), path.join(bin, 'roomctl'))
  symlinkSync(process.execPath, path.join(bin, 'node'))
  const {PATH = ''} = process.env
  const terminal = {
    PS1: '$ ',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TZ: zoneAtNoon(new Date()),
    BASH_SILENCE_DEPRECATION_WARNING: '1',
  }
  return {...terminal, HOME: home, PATH: `${bin}:${PATH}`}
}

/** One frame with its duration in milliseconds. */
interface Frame {
  readonly lines: readonly string[]
  readonly milliseconds: number
}

const esc = String.fromCharCode(27)
/** How a bar is drawn again: to the first of its lines. */
const redrawn = new RegExp(`${esc}\\[J${esc}\\[\\d+A\\r`, 'u')
/** The end of a frame: before a bar is drawn again, after every few typed characters, an answer to a question, and the output of a command. */
const moments = new RegExp(`(?=${redrawn.source})|(?<=^|\\n)\\$ |(?<=${esc}\\[\\d+G)|\\r?\\n(?=\\$ |$)`, 'gu')

/** In milliseconds: of a prompt, of a bar that is drawn again after it, or of what is to be read. */
function durationOf(moment: string | undefined, rest: string): number {
  if (moment === '$ ') return 300
  return rest.search(redrawn) === 0 ? 80 : 1800
}

async function framesOf(shown: string): Promise<Frame[]> {
  const screen = new headless.Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 0})
  const frames: Frame[] = []
  const show = async (text: string, milliseconds: number) => {
    await new Promise<void>((resolve) => screen.write(text, resolve))
    const lines = Array.from({length: rows}, (_, row) => drawLine(screen, row))
    const last = frames.at(-1)
    if (last?.lines.join('\n') === lines.join('\n')) {
      frames[frames.length - 1] = {lines, milliseconds: last.milliseconds + milliseconds}
    } else frames.push({lines, milliseconds})
  }
  let at = 0
  for (const moment of [...shown.matchAll(moments), undefined]) {
    const end = moment === undefined ? shown.length : moment.index + moment[0].length
    await show(shown.slice(at, end), durationOf(moment?.[0], shown.slice(end)))
    at = end
    if (moment?.[0] !== '$ ') continue
    const [echo = ''] = /^[^\r\n]*/u.exec(shown.slice(at)) ?? []
    for (const keys of echo.match(/.{1,3}/gu) ?? []) await show(keys, 120)
    at += echo.length
    await show('', 400)
  }
  return frames.map((frame, index) => (index === frames.length - 1 ? {...frame, milliseconds: 6000} : frame))
}

const cell = {width: 9, height: 20}

/** A row of the screen as SVG text: a run for each colour and weight, as wide as its columns in any font. */
function drawLine(screen: InstanceType<typeof headless.Terminal>, row: number): string {
  const line = screen.buffer.active.getLine(screen.buffer.active.viewportY + row)
  const runs: {x: number; columns: number; style: string; text: string}[] = []
  for (let x = 0; x < columns; x += 1) {
    const one = line?.getCell(x)
    if (one === undefined || one.getWidth() === 0) continue
    const style = styleOf(one)
    const text = one.getChars() || ' '
    const last = runs.at(-1)
    if (last?.style === style) {
      last.text += text
      last.columns += one.getWidth()
    } else runs.push({x, columns: one.getWidth(), style, text})
  }
  return runs.flatMap(wordsOf).map(drawRun).join('')
}

/** The classes of a cell: its colour, bold and dim. */
function styleOf(one: IBufferCell): string {
  const colour = one.isFgPalette() ? `c${one.getFgColor() % 8}` : ''
  return [colour, one.isBold() ? 'b' : '', one.isDim() ? 'd' : ''].filter((name) => name !== '').join(' ')
}

interface Run {
  readonly x: number
  readonly columns: number
  readonly style: string
  readonly text: string
}

/** The words of a run, without the spaces around them. */
function wordsOf({x, columns: width, style, text}: Run): Run[] {
  if (text.length !== width) return text.trim() === '' ? [] : [{x, columns: width, style, text}]
  return [...text.matchAll(/\S+(?: \S+)*/gu)].map(({0: words, index}) => ({
    x: x + index,
    columns: words.length,
    style,
    text: words,
  }))
}

function drawRun({x, columns: width, style, text}: Run): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const marked = style === '' ? '' : ` class="${style}"`
  return `<tspan x="${x * cell.width}" textLength="${width * cell.width}"${marked}>${safe}</tspan>`
}

const light = {
  ...{back: '#ffffff', text: '#1f2328', edge: '#d1d9e0'},
  ...{c1: '#cf222e', c2: '#116329', c3: '#7d4e00', c4: '#0969da', c5: '#8250df', c6: '#1b7c83'},
}
const dark: typeof light = {
  ...{back: '#0d1117', text: '#e6edf3', edge: '#3d444d'},
  ...{c1: '#ff7b72', c2: '#3fb950', c3: '#d29922', c4: '#58a6ff', c5: '#bc8cff', c6: '#39c5cf'},
}

/** The palette as CSS variables. A viewer without them takes the plain colour before each, so every use has both. */
function variables(palette: typeof light): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

/** The frames side by side; the animation shows one at a time; equal lines are drawn once. */
function drawFrames(frames: readonly Frame[]): string {
  const [width, height] = [columns * cell.width, rows * cell.height]
  const lines = [...new Set(frames.flatMap(({lines: own}) => own))].filter((line) => line !== '')
  const total = frames.reduce((sum, {milliseconds}) => sum + milliseconds, 0)
  let passed = 0
  const keys = frames.map(({milliseconds}, index) => {
    const percent = ((passed / total) * 100).toFixed(3)
    passed += milliseconds
    return `${percent}%{transform:translateX(${-index * width}px)}`
  })
  const drawn = frames.map(({lines: own}, index) => {
    const uses = own.flatMap((line, row) =>
      line === '' ? [] : [`<use href="#l${lines.indexOf(line)}" y="${row * cell.height}"/>`],
    )
    return `<g transform="translate(${index * width} 0)">${uses.join('')}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width + 32} ${height + 32}" width="${width + 32}" role="img">
<!-- Made by scripts/recording.ts; an edit here is lost. -->
<title>A terminal: roomctl fills its sandbox, lists rooms, ends two of them, explains why a user cannot enter a room, makes room for her, and uploads a build with a bar</title>
<style>
svg{${variables(light)}}
@media (prefers-color-scheme:dark){svg{${variables(dark)}}}
text{font:15px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${light.text};fill:var(--text);white-space:pre}
.back{fill:${light.back};fill:var(--back);stroke:${light.edge};stroke:var(--edge)}
.b{font-weight:700}.d{opacity:.7}
${([1, 2, 3, 4, 5, 6] as const).map((n) => `.c${n}{fill:${light[`c${n}`]};fill:var(--c${n})}`).join('')}
.play{transform:translateX(${-(frames.length - 1) * width}px);animation:play ${total}ms step-end infinite}
@media (prefers-reduced-motion:reduce){.play{animation:none}}
@keyframes play{${keys.join('')}}
</style>
<defs>
${lines.map((line, index) => `<text id="l${index}" y="15" xml:space="preserve">${line}</text>`).join('\n')}
</defs>
<rect x=".5" y=".5" width="${width + 31}" height="${height + 31}" rx="8" class="back"/>
<svg x="16" y="16" width="${width}" height="${height}"><g class="play">
${drawn.join('\n')}
</g></svg>
</svg>
`
}

/** Writes the recording below the root. */
export async function refreshRecording(root: string): Promise<void> {
  writeFileSync(path.join(root, recordingFile), await recordTool(root))
}

/** A zone in which it is about noon: near midnight, times of the next day have their date, and columns are hidden. */
function zoneAtNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours()
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
