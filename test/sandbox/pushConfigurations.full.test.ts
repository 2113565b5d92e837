import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {pushStage} from './pushStage.js'

const run = promisify(execFile)
const made = new TestCredentials()
const keyQuery = 'application_id=app-9&bundle_id=com.example.chat&team_id=TEAM000009&key_id=KEY0000009'

test('curl alone registers files and reads the configuration back', async () => {
  const on = await pushStage()
  const auth = made.file('auth', 'header = "Authorization: Bearer sandbox-application-token"\n')
  const key = made.file('AuthKey_KEY1234567.p8', made.key('apns', 'P-256'))
  const certificates = [made.certificate({to: '2028-01-05T10:00:00Z'})]
  const certificate = made.file('push.p12', made.p12({certificates, password: 's3cret'}))
  const curl = async (...args: string[]) => {
    const common = ['--silent', '--max-time', '20', '--config', auth, '--write-out', ' %{http_code}']
    return (await run('curl', [...common, ...args])).stdout
  }
  const base = `${on.origin}/push/v1/config`
  expect(await curl('-F', `auth_key_file=@${key}`, `${base}/ios/key?${keyQuery}`)).toBe('{} 200')
  expect(await curl(`${base}?application_id=app-9`)).toContain('"ios_apns_type":"TOKEN"')
  const query = 'application_id=app-9&apns_certificate_password=s3cret&bundle_id=com.example.rooms'
  expect(await curl('-F', `certificate_file=@${certificate}`, `${base}/ios/certificate?${query}`)).toBe('{} 200')
  expect(await curl(`${base}?application_id=app-9`)).toContain(`"certificate_expiry_date":"2028-01-05"`)
  expect(await curl('-F', `wrong=@${certificate}`, `${base}/ios/certificate?${query}`)).toMatch(/ 400$/)
})
