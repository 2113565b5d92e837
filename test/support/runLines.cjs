'use strict'

/**
 * Runs command lines one after the other in one process with the bundle that is published. `node runLines.cjs FILE` with a JSON list
 * of {words, cwd, env}, the last two only where they are other ones than before; without FILE a message brings each. A line for bash
 * has `shell` in place of words.
 * One begins where nothing keeps the process alive any more, as a process of its own would have ended there.
 * Behind what a line wrote to stderr is its exit code between two NUL; it has none if its promise was never settled. Of lines
 * that come as messages a NUL is behind what they wrote to stdout, too.
 */

const {spawnSync} = require('node:child_process')
const {readFileSync, writeSync} = require('node:fs')
const path = require('node:path')
const process = require('node:process')

const root = process.env.PACKAGE_ROOT ?? path.resolve(__dirname, '../..')
const {cacheFolder, filesBelow, loadBundle} = require(path.join(root, 'bin/run.cjs'))

const [, , file] = process.argv
const lines = file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8'))
const files = filesBelow(root)
// Each line listens for itself, as a process of its own would.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)

let exit
let at = 0

function next() {
  if (at > 0) writeSync(2, `\0${exit}\0`)
  const line = lines[at]
  at += 1
  exit = undefined
  // Node emits `beforeExit` once more only after a turn of the event loop.
  if (line) setImmediate(run, line)
}

async function run({words, shell, cwd, env}) {
  if (env) {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, env)
  }
  if (cwd) process.chdir(cwd)
  if (shell) {
    exit = spawnSync('bash', ['-c', shell], {stdio: 'inherit'}).status
    return
  }
  const {main, published} = loadBundle('dist/main.cjs', files, cacheFolder(process.env, process.platform))
  exit = await main(words, published(files))
}

function listen() {
  process.on('message', (line) => {
    process.channel.unref()
    exit = undefined
    void run(line)
  })
  process.on('beforeExit', () => {
    writeSync(1, '\0')
    writeSync(2, `\0${exit}\0`)
    process.channel.ref()
  })
}

if (file === undefined) listen()
else process.on('beforeExit', next)
