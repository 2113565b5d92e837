import {CLIError} from '@oclif/core/errors'
import {expect, test} from 'vitest'
import {usageFailure} from '../../../../src/cli/errors/usageErrors.js'

test('an error of oclif that nothing in the line explains is its first line', () => {
  const line = {command: 'room list', args: {}, flags: {}, words: ['--limit', '1']}
  const {message, exitCode} = usageFailure(new CLIError('Something new: --limit\nSee more help'), line)
  expect({message, exitCode}).toEqual({message: 'Something new: --limit', exitCode: 2})
})
