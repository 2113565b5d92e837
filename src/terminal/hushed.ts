/**
 * By stty, which leaves Ctrl-C as it is; Node has only a raw mode. Windows has none. What was typed meanwhile is dropped, as
 * getpass does: the next question would show it.
 */
export async function hushed<T>(work: () => Promise<T>): Promise<T> {
  const {spawnSync} = process.getBuiltinModule('node:child_process')
  const stty = (...mode: string[]) =>
    spawnSync('stty', mode, {stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8'}).stdout?.trim() ?? ''
  const before = stty('-g')
  const restore = () => void stty(before)
  stty('-echo')
  process.once('exit', restore)
  try {
    return await work()
  } finally {
    // An unfinished line is readable only in non-canonical mode.
    stty('-icanon', 'min', '0', 'time', '0')
    dropTyped()
    process.off('exit', restore)
    restore()
  }
}

function dropTyped(): void {
  const {readSync} = process.getBuiltinModule('node:fs')
  try {
    while (readSync(0, Buffer.alloc(4096)) > 0);
  } catch {
    // EAGAIN: nothing is left.
  }
}
