import {readFileSync} from 'node:fs'
import path from 'node:path'
import type {Plugin} from 'esbuild'
import type {ColdPackage} from './coldPackages.js'

/**
 * Replacements in the bundle for packages, and for files of its own, that oclif loads at every start and that roomctl
 * never uses: a third of the bundle and a tenth of a start. Key: a package, or a file below @oclif/core/lib;
 * value: the CommonJS text instead.
 */
export const standIns: Readonly<Record<string, string>> = {
  // Finding commands, plugins and settings: the configuration has them (src/cli/app/staticConfig.ts).
  'config/config': `exports.Config = class {
    plugins = new Map()
    constructor(options) { this.options = options }
    scopedEnvVarKeys() { return [] }
  }`,
  'config/plugin': '',
  'config/ts-path': '',
  // With DEBUG=* oclif would print the whole command line, and with it whatever was typed there.
  debug: 'module.exports = () => () => {}',
  // Reads stdin for arguments, which every argument refuses (`ignoreStdin`).
  'node:readline': '',
  // Looks for a colour theme in the configuration folder.
  'util/fs': 'exports.safeReadJson = async () => undefined',
  // Writes lines and draws a spinner, and asks for both terminals as it is loaded; src/terminal does all that.
  ux: "exports.colorize = require('./ux/theme').colorize; exports.ux = require('./ux/write')",
  // roomctl has its own messages (src/cli/errors/usageErrors.ts).
  'ux/theme': 'exports.colorize = (_, text) => text',
  'ux/list': "exports.__esModule = true; exports.default = () => ''",
  'wrap-ansi': '',
  'indent-string': '',
  screen: '',
  'errors/errors/pretty-print': 'exports.applyPrettyPrintOptions = (error) => error',
  'clean-stack': "module.exports = (...args) => require('clean-stack')(...args)",
  // Help, which src/cli/help draws.
  help: '',
  // Compiles a function for every text with names such as <%= config.bin %>.
  ejs: `exports.render = (text, context) =>
    text.replace(/<%= *([\\w.]+) *%>/g, (_, path) => path.split('.').reduce((value, key) => value[key], context))`,
  // Prints an error, with all of the help, and ends the process; src/cli/errors/errorHandler.ts does it.
  'errors/handle': '',
}

const library = '/@oclif/core/lib'

/** Opens stdout at every start, to ignore EPIPE; src/terminal/output.ts does it on the first write. */
const opensStdout = /^process\.stdout\.on\('error', [\s\S]*?^\}\);$/m

/** Puts the stand-ins into imports of oclif alone. */
export function useStandIns(): Plugin {
  return {
    name: 'use-stand-ins',
    setup({onResolve, onLoad}) {
      onResolve({filter: /./}, ({path: name, resolveDir, importer, namespace}) => {
        const key = keyOf(name, resolveDir)
        // A stand-in may import the original.
        const isItself = namespace === 'stand-in' && importer === key
        return key !== undefined && key in standIns && !isItself
          ? {
              path: key,
              namespace: 'stand-in',
              pluginData: resolveDir.slice(0, resolveDir.indexOf(library) + library.length),
            }
          : undefined
      })
      onLoad({filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/]command\.js$/}, ({path: file}) => {
        const text = readFileSync(file, 'utf8')
        if (!opensStdout.test(text)) throw new Error(`${file} has changed: no ${opensStdout}`)
        return {contents: text.replace(opensStdout, '')}
      })
      // Imports of a stand-in are resolved from oclif's folder `lib`.
      onLoad({filter: /./, namespace: 'stand-in'}, ({path: key, pluginData: resolveDir}) => ({
        contents: standIns[key] ?? '',
        resolveDir,
      }))
    },
  }
}

function keyOf(name: string, resolveDir: string): string | undefined {
  const at = resolveDir.indexOf(library)
  if (at === -1) return undefined
  return name.startsWith('.')
    ? path.relative(resolveDir.slice(0, at + library.length), path.join(resolveDir, name))
    : name
}

/** Replaces unused files of the package by an empty class. */
export function leaveOut({name, unused = [], without = []}: ColdPackage): Plugin {
  const files = new Set(unused)
  return {
    name: 'leave-out',
    setup({onResolve, onLoad}) {
      onResolve({filter: /^[^.]/}, ({path: one}) =>
        without.some((other) => one === other || one.startsWith(`${other}/`))
          ? {path: one, namespace: 'without'}
          : undefined,
      )
      onLoad({filter: /./, namespace: 'without'}, () => ({contents: 'module.exports = class {}'}))
      onLoad({filter: /\.js$/}, ({path: file}) =>
        files.has(file.split(`/node_modules/${name}/`)[1] ?? '') ? {contents: 'module.exports = class {}'} : undefined,
      )
    },
  }
}
