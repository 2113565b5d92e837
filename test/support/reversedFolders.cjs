'use strict'

// Preloaded (`node --require`): every folder is read backwards, as another file system may have it.

const fs = require('node:fs')

const {readdirSync, readdir} = fs
const readLater = fs.promises.readdir
fs.readdirSync = (...args) => readdirSync(...args).reverse()
fs.readdir = (folder, ...args) => {
  const done = args.pop()
  readdir(folder, ...args, (error, names) => done(error, names?.reverse()))
}
fs.promises.readdir = async (...args) => (await readLater(...args)).reverse()
require('node:module').syncBuiltinESMExports()
