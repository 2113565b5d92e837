import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {sandboxToken} from '../../../src/sandbox/world/world.js'
import {doctor, healthy} from './healthy.js'

const env = {
  HTTPS_PROXY: 'http://user:canary-proxy@proxy.example.com:3128',
  NO_PROXY: '*',
  ALL_PROXY: 'http://user:canary-all@proxy.example.com:3128',
  ROOMCTL_PUSH_TOKEN: 'canary-push-token',
}

describe('the report for a ticket', () => {
  test('holds the findings, the settings and the versions, for its user alone', async () => {
    const machine = await healthy({applicationId: 'app-1'})
    const file = join(machine.home, 'report.txt')
    const {exit} = await doctor(machine, `--report ${file}`, {env})
    expect(exit).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    const [head, , profile] = text.split('\n')
    expect(head).toMatch(/^roomctl \d+\.\d+\.\d+, Node v\d+\.\d+\.\d+, \w+-\w+, 2026-12-01T12:00:00\.000Z$/u)
    expect(profile).toBe('Profile live')
    expect(text).toContain('\n  applicationId = app-1 (profile)\n')
    expect(text).toContain(`\n  room.token = in the profile, for ${machine.origin} (profile)\n`)
    expect(text).not.toContain('  timeout = ')
    expect(text).toMatch(/^✓ ok {4}room answer +token accepted; 13 rooms/mu)
  })

  test.each(['report.txt', 'report.json'])('holds no secret and no home folder (%s)', async (name) => {
    const machine = await healthy()
    const file = join(machine.home, name)
    const {ran} = await doctor(machine, `--report ${file}`, {env})
    const text = readFileSync(file, 'utf8')
    for (const shown of [text, ran.stdout]) {
      expect(shown).not.toContain('canary')
      expect(shown).not.toContain(sandboxToken)
    }
    expect(text).not.toContain(machine.home)
    expect(text).toContain('~/.config/roomctl/config.json')
  })

  test('is JSON where its name says so', async () => {
    const machine = await healthy()
    const file = join(machine.home, 'report.json')
    const {all} = await doctor(machine, `--report ${file}`)
    const report = JSON.parse(readFileSync(file, 'utf8'))
    expect(Object.keys(report)).toEqual(['roomctl', 'node', 'system', 'made_at', 'profile', 'settings', 'checks'])
    expect(report.checks.map(({check}: {check: string}) => check)).toEqual(all.map(({check}) => check))
  })

  test('overwrites nothing unless it is told to, and then nothing was sent', async () => {
    const machine = await healthy()
    const file = join(machine.home, 'report.txt')
    writeFileSync(file, 'mine', {mode: 0o644})
    const refused = await machine.cli(['doctor', '--report', file])
    expect(refused).toMatchObject({exit: 14, stdout: ''})
    expect(refused.stderr).toContain('it exists and is not a report of roomctl')
    expect(refused.stderr).toContain('--overwrite')
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(machine.arrived).toEqual([])
    await doctor(machine, `--report ${file} --overwrite`)
    expect(readFileSync(file, 'utf8')).toMatch(/^roomctl /u)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('is refused where its folder is missing', async () => {
    const machine = await healthy()
    const ran = await machine.cli(['doctor', '--report', join(machine.home, 'none/report.txt')])
    expect(ran.exit).toBe(14)
    expect(existsSync(join(machine.home, 'none'))).toBe(false)
  })
})
