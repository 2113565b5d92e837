import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {readText} from '../support/repository.js'
import {Machine} from './machine.js'

const guide = readText('docs/guides/ending-many-rooms.md')
const block = /^### Sign a plan\n.*?```sh\n(.*?)```/msu.exec(guide)?.[1] ?? ''

test('the lines of the guide sign a plan and verify it with ssh-keygen; a plan that was changed is not applied', async () => {
  const [make = '', sign = '', allow = '', verify = ''] = block.trimEnd().split('\n')
  expect([sign, allow, verify].map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'ssh-keygen -Y sign',
    'echo "ann@example.com $(cat',
    'ssh-keygen -Y verify',
  ])
  const machine = Machine.make({ROOMCTL_PROFILE: 'sandbox'})
  try {
    // ssh-keygen expands no ~ itself: the shell does, from HOME.
    const ssh = path.join(machine.folder, 'home/.ssh')
    mkdirSync(ssh, {mode: 0o700})
    const plan = path.join(machine.work, 'plan.json')
    await machine.type('roomctl sandbox seed')
    await machine.type("roomctl room end --match 'test-*' --plan-out plan.json")
    expect(await machine.type(make)).toMatchObject({exit: 0})
    expect(await machine.type(sign)).toMatchObject({exit: 0})
    expect(await machine.type(allow)).toMatchObject({exit: 0})

    const written = readFileSync(plan, 'utf8')
    const {digest: _, ...edited} = JSON.parse(written)
    writeFileSync(plan, JSON.stringify(edited, null, 2))
    const forged = await machine.type(verify)
    expect(forged.exit).not.toBe(0)
    expect(forged.stdout + forged.stderr).not.toContain('ended')

    writeFileSync(plan, written)
    const applied = await machine.type(verify)
    expect(applied).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Good "roomctl-plan" signature for ann@example.com'),
    })
    expect((await machine.type('roomctl room list --match "test-*" --status meeting -q')).stdout).toBe('')
  } finally {
    machine.remove()
  }
})
