'use strict'

// npm runs this after it has installed a checkout. Without the development packages (`npm ci --omit=dev`) nothing can be built, which
// is no reason for the installation to fail.

const {spawnSync} = require('node:child_process')

if (canBuild()) {
  process.exitCode =
    spawnSync('npm', ['run', 'build'], {stdio: 'inherit', shell: process.platform === 'win32'}).status ?? 1
} else {
  process.stderr.write('roomctl is not built: the development packages are not installed; npm ci installs and builds\n')
}

function canBuild() {
  try {
    return Boolean(require.resolve('tsx'))
  } catch {
    return false
  }
}
