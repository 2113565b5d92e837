import {fstatSync, statSync} from 'node:fs'
import {devNull} from 'node:os'
import type {OutputStream} from './output.js'

/**
 * Ends the process by SIGHUP itself where it ends without the terminal that it began on: Node sets the terminal back at its
 * exit, and aborts with a core dump where it cannot. A shell sees 129 either way. `isHungUp`: SIGHUP has come.
 */
export function endByHangUp(outputs: readonly OutputStream[], isHungUp: () => boolean): void {
  process.on('exit', () => {
    if (!outputs.some(isLost) && !(isHungUp() && isInputLost())) return
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
}

function isLost({isTTY, fd}: OutputStream): boolean {
  return isTTY === true && fd !== undefined && !isTerminal(fd)
}

/** Nobody may have asked what stdin is: a device that answers as no terminal does, and is not the one for nothing. */
function isInputLost(): boolean {
  try {
    const stat = fstatSync(0)
    return stat.isCharacterDevice() && !isTerminal(0) && stat.rdev !== statSync(devNull).rdev
  } catch {
    return false
  }
}

/** Node's module for terminals is loaded where there is one, and then only. */
function isTerminal(descriptor: number): boolean {
  return process.getBuiltinModule('node:tty').isatty(descriptor)
}
