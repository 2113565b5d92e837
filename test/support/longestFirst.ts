import {BaseSequencer, type TestSpecification} from 'vitest/node'

/** The folders whose files take a quarter of a minute and more, the longest first. */
const long = ['canary', 'terminal', 'elsewhere', 'project', 'hostile', 'disk', 'signals', 'stories', 'unit/upload'].map(
  (name) => `/test/${name}/`,
)

/** Lets no long file begin when all others have ended: one worker would be busy with it and the others idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

function rank({moduleId}: TestSpecification): number {
  const place = long.findIndex((folder) => moduleId.includes(folder))
  return place === -1 ? long.length : place
}
