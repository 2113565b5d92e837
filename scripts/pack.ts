import {mkdirSync} from 'node:fs'
import path from 'node:path'
import {npm} from './npm.js'

/** Packs what is built, as `npm publish` would, into a tarball in `folder`; gives back its path. Builds nothing. */
export function pack(root: string, folder: string): string {
  mkdirSync(folder, {recursive: true})
  const [tarball] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {cwd: root}),
  ) as readonly {filename: string}[]
  if (!tarball) throw new Error('npm pack made no tarball')
  return path.join(folder, tarball.filename)
}

/** Installs the tarball as `npm i -g` does, with nothing but what is in it; gives back the installed command. */
export function installGlobally(tarball: string, prefix: string): string {
  npm(['install', '--global', '--offline', '--prefix', prefix, tarball])
  return path.join(prefix, 'bin', 'roomctl')
}
