import {execFileSync} from 'node:child_process'
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

// Nothing here leads to a device: tests may run as root, who could destroy it.

/** Obstacles at the path of a file or its folder. `home` is the place's, with a file of the user. */
export const obstacles = {
  'a folder in its place': ({file}) => {
    rmSync(file)
    mkdirSync(file)
  },
  'a file in the place of its folder': ({folder}) => {
    renameSync(folder, `${folder}.away`)
    writeFileSync(folder, 'a file')
  },
  'a link to a file of the user': ({file, victim}) => {
    rmSync(file)
    symlinkSync(victim, file)
  },
  'a link to nothing': ({file}) => {
    rmSync(file)
    symlinkSync(`${file}.gone`, file)
  },
  'a link to itself': ({file}) => {
    rmSync(file)
    symlinkSync(file, file)
  },
  'a pipe without a reader': ({file}) => {
    rmSync(file)
    execFileSync('mkfifo', [file])
  },
  'a gibibyte of nothing': ({file}) => {
    truncateSync(file, 0)
    truncateSync(file, 2 ** 30)
  },
  'its folder behind a link': ({folder}) => {
    renameSync(folder, `${folder}.real`)
    symlinkSync(`${folder}.real`, folder)
  },
  'modes that let all users write': ({file, folder}) => {
    chmodSync(file, 0o666)
    chmodSync(folder, 0o777)
  },
  'a second name of the file': ({file, victim}) => {
    cpSync(file, victim)
    rmSync(file)
    linkSync(victim, file)
  },
} satisfies Record<string, (where: Where) => void>

export type Obstacle = keyof typeof obstacles

interface Where {
  readonly file: string
  readonly folder: string
  readonly victim: string
}

/** Puts an obstacle in the way of a file in a place. */
export function obstruct(
  obstacle: Obstacle,
  home: string,
  {file, folder}: {readonly file: string; readonly folder: string},
) {
  const victim = path.join(home, 'victim')
  writeFileSync(victim, 'mine\n', {mode: 0o644})
  obstacles[obstacle]({file: path.join(home, file), folder: path.join(home, folder), victim})
  return victim
}
