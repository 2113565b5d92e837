import {expect, test} from 'vitest'
import type {ListedFile} from '../../../../src/upload/model/job.js'
import {completeFiles} from '../../../../src/upload/sync/fileList.js'
import {failing} from '../../../support/failures.js'

function listed(key: string, facts: Partial<ListedFile> = {}): ListedFile {
  const name = key.split('/').at(-1) ?? ''
  return {key, path: `/build/${key}`, role: 'asset', name, ...facts}
}

const whole = {platform: 'ios', description: 'Build 42'} as const
const fill = (files: readonly ListedFile[], filling: Parameters<typeof completeFiles>[1] = whole) =>
  completeFiles({source: 'build', files, notes: []}, filling, 'percent')

test('what no header can carry is refused before anything is sent', () => {
  expect(failing(() => fill([listed('a.png', {description: 'two\nlines'})]))).toMatchObject({
    exit: 'usage',
    message: 'cannot sync build: a.png: the description holds a line break or another control character',
  })
  expect(failing(() => fill([listed('a.png')], {platform: 'ios', description: 'a\r\nb'})).exit).toBe('usage')
  expect(failing(() => fill([listed('a.bundle', {link: {uuid: 'a b'}})])).exit).toBe('usage')
})
