'use strict'

// The entry of the single file (scripts/binary): Node with the files of the package as assets.

const {getRawAsset} = require('node:sea')
const {runProgram} = require('./run.cjs')

runProgram({root: process.execPath, packageFile: (name) => Buffer.from(getRawAsset(name))})
