import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {freshPlace, type Place, shell} from './place.js'
import {type Service, serve, token} from './service.js'

const password = 'zebra+&한글 %41'
const serverKey = `AAAAcanary1:APA91b${'k3y-Of_the_Test'.repeat(9).slice(0, 134)}`
const workshop = new TestCredentials()
const pem = workshop.key('apns', 'P-256')
const files = {
  'push.p12': workshop.p12({password}),
  'password.txt': `${password}\n`,
  'AuthKey_KEY7654321.p8': pem,
  'server-key.txt': `${serverKey}\n`,
}

/** A service that has nothing registered, and takes everything. */
function service(): Promise<Service> {
  return serve((_, response) => {
    response.writeHead(204).end()
  })
}

/** A home with the files, in which the environment names the service. */
function placeFor({url}: Service, env: Readonly<Record<string, string>>): Place {
  const named = {ROOMCTL_PUSH_URL: url, ROOMCTL_PUSH_TOKEN: token, ...lineEnvironment}
  const place = freshPlace({...named, ...env})
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(place.dir, name), content, {mode: 0o600})
  }
  return place
}

const certificate = 'roomctl push ios push.p12 --password-file password.txt'
const spellings = ['zebra', '한글', encodeURIComponent('한글'), Buffer.from(password).toString('base64').slice(0, 12)]

describe('while Node traces itself', () => {
  test.each(['http', 'module,NET', '*'])(
    'under NODE_DEBUG=%s the password in an address is not sent',
    async (nodeDebug) => {
      const asked = await service()
      const place = placeFor(asked, {NODE_DEBUG: nodeDebug})
      const ran = await shell(place, `${certificate} --debug; ${certificate} --dry-run`)
      expect(ran.exit).toBe(3)
      expect(ran.stderr).toContain('cannot send apns_certificate_password while NODE_DEBUG is set: nothing was sent\n')
      expect(ran.stderr).toContain('  try: unset NODE_DEBUG; --debug shows the requests with their secrets masked\n')
      expect(asked.asked).toEqual([])
      for (const spelling of spellings) expect(ran.stdout + ran.stderr).not.toContain(spelling)
    },
  )

  test.each(['stream', '*'])(
    'under NODE_DEBUG=%s nothing secret is read from stdin, nor asked of the service, of which Node prints how it begins',
    async (nodeDebug) => {
      const asked = await service()
      const place = placeFor(asked, {NODE_DEBUG: nodeDebug})
      const ran = await shell(place, 'roomctl push register ann --type ANDROID < server-key.txt; roomctl push show')
      expect(ran.exit).toBe(3)
      expect(ran.stderr).toContain(
        'cannot read the device token from stdin while NODE_DEBUG is set: nothing was sent\n',
      )
      expect(ran.stderr).toContain(
        'cannot send the token of the push service while NODE_DEBUG is set: nothing was sent\n',
      )
      expect(asked.asked).toEqual([])
      const hex = Buffer.from(serverKey).toString('hex').replace(/../g, '$& ')
      expect(ran.stderr).not.toContain(hex.slice(0, 30))
    },
  )
})
