import {readFileSync} from 'node:fs'
import path from 'node:path'
import type {Plugin} from 'esbuild'
import type {ColdPackage} from './coldPackages.js'

/**
 * What stands in the bundle for packages, and for files of its own, that oclif loads at every start and that roomctl
 * never gets to use: a third of the bundle and a tenth of a start. Key: a package, or a file below @oclif/core/lib;
 * value: the CommonJS text instead.
 */
export const standIns: Readonly<Record<string, string>> = {
  // Finding commands, plugins and settings: the configuration is told them (src/cli/app/staticConfig.ts).
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
  // Messages are written anew, without colour and lists (src/cli/errors/usageErrors.ts).
  'ux/theme': 'exports.colorize = (_, text) => text',
  'ux/list': "exports.__esModule = true; exports.default = () => ''",
  'wrap-ansi': '',
  'indent-string': '',
  screen: '',
  'errors/errors/pretty-print': 'exports.applyPrettyPrintOptions = (error) => error',
  'clean-stack': "module.exports = (...args) => require('clean-stack')(...args)",
  // Help that is asked for by a flag of oclif's own, which no command has.
  help: '',
  // Compiles a function for every line of help, to fill in names such as <%= config.bin %>.
  ejs: `exports.render = (text, context) =>
    text.replace(/<%= *([\\w.]+) *%>/g, (_, path) => path.split('.').reduce((value, key) => value[key], context))`,
  // Prints an error, with all of the help, and ends the process; src/cli/errors/errorHandler.ts does it.
  'errors/handle': '',
}

/** The same for the file that draws the help. */
export const helpStandIns: Readonly<Record<string, string>> = {
  ejs: standIns.ejs ?? '',
  'config/ts-path': '',
  ux: standIns.ux ?? '',
  'errors/error': 'exports.error = (message) => { throw new Error(message) }',
  // Loads commands and plugins from files; the bundle has them.
  'module-loader': '',
  // Opens stdout and stderr to learn their widths.
  screen: `const columnsOf = (fd, name) =>
      (process.platform === 'win32' || require('node:fs').fstatSync(fd).isCharacterDevice()) && process[name].columns
    const width = (fd, name) =>
      Number.parseInt(process.env.OCLIF_COLUMNS, 10) || Math.max(40, columnsOf(fd, name) || 80)
    Object.defineProperties(exports, {
      stdtermwidth: {get: () => width(1, 'stdout')},
      errtermwidth: {get: () => width(2, 'stderr')},
    })`,
  // Asks Node's module for terminals, which loads the network, even where no terminal can be.
  'ux/supports-color': `exports.supportsColor = () =>
    (process.platform === 'win32' || 'FORCE_COLOR' in process.env || process.argv.some((word) => word.startsWith('--color')) ||
      require('node:fs').fstatSync(1).isCharacterDevice()) && require('./ux/supports-color').supportsColor()`,
  ansis: `exports.__esModule = true
    exports.default = new Proxy({}, {get: (_, name) =>
      name === 'strip' ? require('node:util').stripVTControlCharacters : require('ansis').default[name]})`,
}

const library = '/@oclif/core/lib'

/** Opens stdout at every start, to pass over a reader that went away; src/terminal/output.ts does it where there is something to write. */
const opensStdout = /^process\.stdout\.on\('error', [\s\S]*?^\}\);$/m

/** Puts the stand-ins where oclif imports the name; nobody else is affected. */
export function useStandIns(texts = standIns): Plugin {
  return {
    name: 'use-stand-ins',
    setup({onResolve, onLoad}) {
      onResolve({filter: /./}, ({path: name, resolveDir, importer, namespace}) => {
        const key = keyOf(name, resolveDir)
        // A stand-in that asks for what it stands for gets it.
        const isItself = namespace === 'stand-in' && importer === key
        return key !== undefined && key in texts && !isItself
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
      // What one requires is seen from oclif's folder `lib`.
      onLoad({filter: /./, namespace: 'stand-in'}, ({path: key, pluginData: resolveDir}) => ({
        contents: texts[key] ?? '',
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

/** Puts an empty class where the package imports one of its files that are never used. */
export function leaveOut({name, unused = []}: ColdPackage): Plugin {
  const files = new Set(unused)
  return {
    name: 'leave-out',
    setup({onLoad}) {
      onLoad({filter: /\.js$/}, ({path: file}) =>
        files.has(file.split(`/node_modules/${name}/`)[1] ?? '') ? {contents: 'module.exports = class {}'} : undefined,
      )
    },
  }
}
