import {spawn, spawnSync} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {installNode} from '../nodes.js'
import {type WindowsLine, windowsLines} from './lines.js'

/** Node 26 finds no memory under the wine of Debian 12. */
const windowsNode = '20.20.2'

/** Under wine fstat fails for the standard handles of a process: they are files here. */
const preload = `const fs = require('node:fs'), {fstatSync} = fs; fs.fstatSync = (fd, ...rest) => (fd === 1 || fd === 2 ? fs.statSync(__filename) : fstatSync(fd, ...rest))\n`

/**
 * Runs the built tool with the Windows build of Node under wine, line by line, and prints how each ended. Returns the number that
 * ended differently than expected.
 */
export async function runOnWindows(root: string, print: (line: string) => void): Promise<number> {
  const node = installNode('win-x64', windowsNode, path.join(root, `.bench/node${windowsNode}-win-x64`))
  const work = mkdtempSync(path.join(tmpdir(), 'roomctl-windows-'))
  const env = {PATH: process.env.PATH, HOME: work, WINEPREFIX: path.join(work, 'wine'), WINEDEBUG: '-all'}
  const folder = path.join(work, 'work')
  const wine = (words: readonly string[], name: string) => ended(words, {env, folder, name: path.join(work, name)})
  try {
    mkdirSync(folder)
    for (const words of [
      ['wineboot', '-i'],
      ['winecfg', '-v', 'win10'],
    ])
      await wine(words, 'setup')
    writeFiles(folder)
    writeFileSync(path.join(work, 'preload.cjs'), preload)
    const program = ['-r', onDrive(path.join(work, 'preload.cjs')), onDrive(path.join(root, 'bin/run.cjs'))]
    let wrong = 0
    for (const [at, line] of windowsLines(onDrive(folder)).entries()) {
      const ran = await wine([node, ...program, ...line.line], `line${at}`)
      const problem = problemOf(line, ran)
      if (problem !== undefined) wrong += 1
      print(`${problem === undefined ? 'ok   ' : 'wrong'} ${ran.exit}  roomctl ${line.line.join(' ')}`)
      if (problem !== undefined) print(`${problem}\n${ran.output.trimEnd()}`)
    }
    return wrong
  } finally {
    spawnSync('wineserver', ['-k'], {env})
    rmSync(work, {recursive: true, force: true})
  }
}

interface Ended {
  readonly exit: number | null
  readonly output: string
}

function problemOf({exit = 0, says}: WindowsLine, ran: Ended): string | undefined {
  if (ran.exit !== exit) return `      it should end with ${exit}, and says:`
  return says.test(ran.output) ? undefined : `      it should say ${says}, and says:`
}

/** The output of a program, stdout before stderr; both are files, since Linux pipes do not work as those of Windows. */
async function ended(
  words: readonly string[],
  {env, folder, name}: {env: NodeJS.ProcessEnv; folder: string; name: string},
): Promise<Ended> {
  const script = 'exec timeout --signal=KILL 60 wine "$@" > "$0.out" 2> "$0.err" < /dev/null'
  const child = spawn('sh', ['-c', script, name, ...words], {cwd: folder, env, stdio: 'ignore'})
  const exit = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  return {exit, output: ['out', 'err'].map((ending) => readFileSync(`${name}.${ending}`, 'utf8')).join('')}
}

/** A path of Linux as wine has it. */
function onDrive(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`
}

/** Files named by the lines: a large one, one with a path of more than 260 characters, and commands of Windows. */
function writeFiles(folder: string): void {
  const part = 'long-folder-name-'.repeat(8)
  mkdirSync(path.join(folder, part, part), {recursive: true})
  writeFileSync(path.join(folder, part, part, 'deep.bundle'), 'deep')
  writeFileSync(path.join(folder, 'big.bundle'), randomBytes(5_000_000))
  writeFileSync(path.join(folder, 'token.cmd'), '@echo off\r\necho token-of-%1\r\n')
  writeFileSync(path.join(folder, 'refused.cmd'), '@exit /b 3\r\n')
}
