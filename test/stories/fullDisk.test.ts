import {describe, expect, test} from 'vitest'
import {freshPlace, type Place, type Ran, shell} from './place.js'

// What is written to files of the tool's own on such a disk is tried in test/disk.

describe('a full disk', () => {
  /** Runs a script in a place where a folder is a disk of its own with sixteen blocks; it is gone with the script. */
  function onSmallDisk(place: Place, folder: string, script: string): Promise<Ran> {
    const mount = `mount -t tmpfs -o size=64k,mode=700 tmpfs ${folder}`
    // A user and mounts of its own: no right is needed for that, and nobody else sees it.
    return shell(place, 'mkdir -p "$FOLDER" && exec unshare --map-root-user --mount bash -c "$SCRIPT"', {
      env: {FOLDER: folder, SCRIPT: `${mount} || exit 99\n${script}`},
    })
  }

  const fill = 'cat /dev/zero > $FOLDER/filling 2> /dev/null'

  test('under the cache is not even noticed', async () => {
    const ran = await onSmallDisk(
      freshPlace({ROOMCTL_PROFILE: 'sandbox'}),
      'cache',
      `${fill}; roomctl room list; roomctl --version > /dev/null; echo $?`,
    )
    expect(ran).toMatchObject({stdout: '0\n', stderr: '', exit: 0})
  })

  test('cuts no result short without a word', async () => {
    const ran = await onSmallDisk(
      freshPlace({ROOMCTL_PROFILE: 'sandbox'}),
      'disk',
      `roomctl sandbox reset --seed demo > /dev/null
       cat /dev/zero > disk/filling 2> /dev/null; truncate -s -4096 disk/filling
       roomctl room list -o json > disk/list; echo "list $?"
       roomctl room list -o json | head -c 4096 | cmp - disk/list && echo "cut after a block"`,
    )
    expect(ran.stdout).toBe('list 14\ncut after a block\n')
    expect(ran.stderr).toContain('cannot write to stdout: the disk is full')
  })
})
