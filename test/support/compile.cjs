'use strict'

/**
 * Runs command lines in one process with the bundle that is published, which writes the cache of their compiled code at its end.
 * `node compile.cjs LIST` with a JSON list of lines; those after `@` call a service over HTTP.
 */

const http = require('node:http')
const {syncBuiltinESMExports} = require('node:module')
const path = require('node:path')
const v8 = require('node:v8')
const {cacheFolder, filesBelow, loadBundle} = require('../../bin/run.cjs')

// Code that is compiled under other flags would not be kept.
v8.setFlagsFromString = () => undefined
syncBuiltinESMExports()
process.setMaxListeners(0)

const files = filesBelow(path.resolve(__dirname, '../..'))
const {main, published} = loadBundle('dist/main.cjs', files, cacheFolder(process.env, process.platform))

async function serve() {
  const server = http.createServer((request, response) => {
    request.resume()
    response.writeHead(200, {'content-type': 'application/json'}).end('{"status":"SUCCESS","data":[]}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  delete process.env.ROOMCTL_PROFILE
  for (const service of ['ROOM', 'ASSET', 'PUSH']) {
    process.env[`ROOMCTL_${service}_URL`] = `http://127.0.0.1:${server.address().port}`
    process.env[`ROOMCTL_${service}_TOKEN`] = 'token'
  }
}

async function all(lines) {
  for (const line of lines) {
    if (line === '@') await serve()
    else await main(line.split(' '), published(files), files.packageFile)
  }
}

void all(JSON.parse(process.argv[2])).finally(() => process.exit(0))
