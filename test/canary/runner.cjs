'use strict'

/**
 * Runs many command lines in one process, with the bundle that is published and the runtime of the real process: what DEBUG
 * prints is settled when a process starts, and a process for each line would take an hour. `node runner.cjs FILE`
 * with a JSON list of {words, env, folder, stdin, stop, before, ready}; the variables and the working folder are set before each.
 * The lines of `before` run first, and then the address `ready` is asked for.
 * After each line both streams get `mark` with its number and exit code.
 */

const fs = require('node:fs')
const http = require('node:http')
const {syncBuiltinESMExports} = require('node:module')
const path = require('node:path')
const timers = require('node:timers/promises')
const {filesBelow, loadBundle} = require('../../bin/run.cjs')

const root = path.resolve(__dirname, '../..')
/** Waits requested by a service are cut short. */
const longestWaitMs = 5
const longestLineMs = 15_000

const wait = timers.setTimeout
timers.setTimeout = (ms, value, options) => wait(Math.min(ms, longestWaitMs), value, options)
syncBuiltinESMExports()
// The end of the process is recorded as the exit code, and the next line runs.
process.exit = (code) => {
  process.exitCode = code
}
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

const files = filesBelow(root)
const {main, published} = loadBundle('dist/main.cjs', files, undefined)
const options = published(files)

/** The variables of the lines before are gone; those that the process was started with stay. */
const started = new Set(Object.keys(process.env))

function enter({env, folder, stdin}) {
  for (const name of Object.keys(process.env)) if (!started.has(name)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(folder)
  process.exitCode = undefined
  const stream = stdin === undefined ? fs.createReadStream('/dev/null') : fs.createReadStream(stdin)
  Object.defineProperty(process, 'stdin', {configurable: true, get: () => stream})
}

async function run(line, number) {
  enter(line)
  const tooLong = setTimeout(() => end(number, 'too long'), longestLineMs)
  for (const words of line.before ?? []) await main(words, options)
  if (line.ready !== undefined) await asked(line.ready)
  process.exitCode = undefined
  if (line.stop !== undefined) setTimeout(() => process.emit('SIGINT'), line.stop)
  const exit = await main(line.words, options)
  clearTimeout(tooLong)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGXFSZ']) process.removeAllListeners(name)
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  // Later output still belongs to the line.
  await new Promise(setImmediate)
  mark(number, process.exitCode ?? exit)
}

function asked(url) {
  return new Promise((resolve, reject) => {
    http.get(url, (answer) => answer.resume().once('end', resolve)).once('error', reject)
  })
}

function mark(number, exit) {
  for (const descriptor of [1, 2]) fs.writeSync(descriptor, `\n<<line ${number} ended with ${exit}>>\n`)
}

function end(number, exit) {
  mark(number, exit)
  process.kill(process.pid, 'SIGKILL')
}

async function all(file) {
  const lines = JSON.parse(fs.readFileSync(file, 'utf8'))
  for (const [number, line] of lines.entries()) await run(line, number)
  process.kill(process.pid, 'SIGKILL')
}

void all(process.argv[2])
