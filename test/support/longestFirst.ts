import {BaseSequencer, type TestSpecification} from 'vitest/node'

/** Files that take a minute and more, the longest first, and then folders whose files take a quarter of one. */
const slowest = [
  'project/releaseRun',
  'stories/uploadKills',
  'hostile/faultMatrix',
  'project/singleFile',
  'project/firstChange',
]
const folders = ['canary', 'terminal', 'elsewhere', 'project', 'hostile', 'disk', 'signals', 'stories', 'unit/upload']
const long = [...slowest.map((name) => `/test/${name}.`), ...folders.map((name) => `/test/${name}/`)]

/** Lets no long file begin when all others have ended: one worker would be busy with it and the others idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

function rank({moduleId}: TestSpecification): number {
  const place = long.findIndex((part) => moduleId.includes(part))
  return place === -1 ? long.length : place
}
