import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {freshPlace, type Place, shell} from './place.js'
import {token} from './service.js'

describe('a damaged profile file', () => {
  const good = 'roomctl config set timeout 45s && printf %s "$SECRET" | roomctl config login room --no-check'

  let whole: Place

  beforeAll(async () => {
    whole = freshPlace({SECRET: token})
    const set = await shell(whole, `roomctl config set room.url http://127.0.0.1:9/media && ${good}`)
    expect(set.exit).toBe(0)
  })

  /** A place with that profile. */
  function profile(): {place: Place; file: string} {
    const place = freshPlace()
    cpSync(path.join(whole.dir, 'config'), path.join(place.dir, 'config'), {recursive: true})
    return {place, file: path.join(place.dir, 'config/config.json')}
  }

  test.each([
    ['half of it', (text: string) => text.slice(0, text.length / 2)],
    ['zero bytes', (text: string) => '\0'.repeat(text.length)],
  ])('holding %s is kept and reported, and the advised command restores its copy', async (_what, damage) => {
    const {place, file} = profile()
    const text = readFileSync(file, 'utf8')
    const before = readFileSync(path.join(path.dirname(file), 'config.backup.json'), 'utf8')
    writeFileSync(file, damage(text))
    const ran = await shell(place, 'roomctl config get timeout')
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(ran.stderr).toMatch(
      /^error: the profile file .* is damaged: .*\n {2}why: no command can use it; it was not changed\n {2}try: /,
    )
    expect(ran.stderr).not.toContain(token)
    expect(readFileSync(file, 'utf8')).toBe(damage(text))
    const [, advised = ''] = /: (cp .*)$/mu.exec(ran.stderr) ?? []
    expect(await shell(place, advised)).toMatchObject({exit: 0})
    const again = await shell(place, 'roomctl config get timeout')
    expect(again).toMatchObject({exit: 0, stdout: '45s\n', stderr: ''})
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})
