import {describe, expect, test} from 'vitest'
import {installPackage, runInstalled, testInstalled} from './installedPackage.js'

const major = Number(process.versions.node.split('.')[0])
const installed = installPackage()

describe('the installed package on the Node that runs the tests', () => {
  testInstalled(installed, major)

  const run = (line: string) => runInstalled(installed, line, installed.environment(major))

  test('shows its help, and that of a topic, a command and an alias', async () => {
    expect((await run('--help')).stdout).toMatch(/TOPICS[\s\S]*attendee[\s\S]*room/)
    expect((await run('config --help')).stdout).toMatch(/config profile/)
    expect((await run('room list --help')).stdout).toMatch(
      /USAGE\n {2}roomctl room list [\s\S]*EXAMPLES[\s\S]*\n {2}--status/,
    )
    expect((await run('room block --help')).stdout).toMatch(/--all-except/)
    expect((await run('help times')).stdout).toMatch(/^[A-Z].*\n\n/u)
  })
})
