import type {TestProject} from 'vitest/node'

/** The folders whose tests run the built program. */
export const builtFolders = ['commands/every', 'project', 'stories', 'people']

const isBuilt = new RegExp(`/test/(?:(?:${builtFolders.join('|')})/|.*\\.built\\.test\\.ts$)`, 'u')

/** Whether a file of this run needs the built program, as all of `full` do: a run without one takes no time for it. */
export function needsBuild({name, vitest}: TestProject): boolean {
  return name === 'full' || vitest.state.getPaths().some((file) => isBuilt.test(file))
}
