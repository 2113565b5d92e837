import {pythonProgram} from '../support/pty.js'
import {type Place, type Ran, shell} from './place.js'

/** Runs a command under a parent that reports its peak memory. */
export async function measured(
  place: Place,
  command: string,
  env: Record<string, string> = {},
): Promise<Ran & {readonly peakMiB: number}> {
  const script = `import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
open("peak", "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)`
  const ran = await shell(place, `${pythonProgram()} -IS -c '${script}' ${command}; code=$?; cat peak; exit $code`, {
    env,
  })
  return {...ran, stdout: ran.stdout.replace(/\d+$/, ''), peakMiB: Number(/\d+$/.exec(ran.stdout)?.[0]) / 1024}
}
