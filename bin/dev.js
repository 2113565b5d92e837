#!/usr/bin/env node

// Runs the source, without a build: `npm run roomctl -- room list`. oclif finds the commands by itself here.

import {createRequire} from 'node:module'
import path from 'node:path'
import {register} from 'tsx/esm/api'

register()
// Until the command has ended, as in run.cjs.
process.exitCode = 1
const {settings} = await import('@oclif/core/settings')
// oclif's own registration of tsx fails in a package of ES modules; ours above is enough.
settings.enableAutoTranspile = false

const root = path.resolve(import.meta.dirname, '..')
const {packageFile} = createRequire(import.meta.url)('./run.cjs').filesBelow(root)
const pjson = JSON.parse(packageFile('package.json'))
const {main} = await import('../src/main.ts')
process.exitCode = await main(process.argv.slice(2), {root, pjson})
