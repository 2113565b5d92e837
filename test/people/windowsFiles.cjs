'use strict'

// Loaded before the tool: files behave as Node shows them on Windows. No users, no mode bits, no flags for links, folders and
// pipes, and folders that can neither be flushed nor be given a mode.

const fs = require('node:fs')
const Module = require('node:module')

for (const name of ['geteuid', 'getuid', 'getegid', 'getgid']) process[name] = undefined

const constants = {...fs.constants}
for (const name of ['O_NOFOLLOW', 'O_DIRECTORY', 'O_NONBLOCK']) delete constants[name]

function withoutMode(stat) {
  if (stat && typeof stat.mode === 'number') stat.mode = (stat.mode & ~0o777) | 0o666
  return stat
}

function onlyFiles(name) {
  return (descriptor, ...more) => {
    if (!fs.fstatSync(descriptor).isDirectory()) return fs[name](descriptor, ...more)
    throw Object.assign(new Error(`EPERM: operation not permitted, ${name}`), {code: 'EPERM'})
  }
}

const onWindows = {
  ...fs,
  constants,
  statSync: (...given) => withoutMode(fs.statSync(...given)),
  lstatSync: (...given) => withoutMode(fs.lstatSync(...given)),
  fstatSync: (...given) => withoutMode(fs.fstatSync(...given)),
  fsyncSync: onlyFiles('fsyncSync'),
  fchmodSync: onlyFiles('fchmodSync'),
}

const load = Module._load
Module._load = (request, ...more) => (/^(?:node:)?fs$/u.test(request) ? onWindows : load(request, ...more))
