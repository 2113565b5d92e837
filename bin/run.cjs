#!/usr/bin/env node
'use strict'

// CommonJS, and as little of it as can be: every start of the tool pays for this file.
// Why, and what each line saves: docs/decisions/0001-one-bundle.md.

const {argv} = process

if (argv.length === 3 && argv[2] === '--version') printVersion()
else {
  ensureHome()
  start()
}

/** Says what `roomctl --version` says, before anything is loaded; with more arguments oclif prints the same. */
function printVersion() {
  const {name, version} = require('../package.json')
  const line = `${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`
  try {
    // Opening process.stdout would cost more than everything else here.
    require('node:fs').writeSync(1, line)
  } catch (error) {
    if (error.code === 'EAGAIN') process.stdout.write(line)
    else if (error.code !== 'EPIPE') cannotWrite(error)
  }
}

/**
 * A home that is empty or relative would be the folder one happens to stand in, whose profile names programs to run: the account's
 * home takes its place. The root stands for a home where there is none, as in a container whose user has no entry anywhere: the
 * system's answer is an error then, which a library of the bundle asks for as it is loaded.
 */
function ensureHome() {
  const name = process.platform === 'win32' ? 'USERPROFILE' : 'HOME'
  const {isAbsolute} = require('node:path')
  if (isAbsolute(process.env[name] ?? '')) return
  delete process.env[name]
  try {
    process.env[name] = require('node:os').homedir()
  } catch {
    process.env[name] = '/'
  }
}

/** As src/terminal/output.ts says it: 14 is the exit code of a file that cannot be written. */
function cannotWrite({code}) {
  const reason = code === 'ENOSPC' ? 'the disk is full' : `the operating system refused it (${code})`
  process.stderr.write(`error: cannot write to stdout: ${reason}\n`)
  process.exitCode = 14
}

/** Runs the bundle. The exit code is only set, never forced: what is still being written gets out. */
async function start() {
  const {cacheFolder, loadBundle} = require('./codeCache.cjs')
  const root = require('node:path').dirname(__dirname)
  const {main, published} = loadBundle(`${root}/dist/main.cjs`, cacheFolder(process.env, process.platform))
  process.exitCode = await main(argv.slice(2), published(root))
}
