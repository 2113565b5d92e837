import {describe, expect, test} from 'vitest'
import {freshPlace, type Place, type Ran, shell} from './place.js'

// test/disk tries the tool's own files on such a disk.

describe('a full disk', () => {
  /** Runs a script in a place where a folder is a disk of its own with sixteen blocks; it is gone with the script. */
  function onSmallDisk(place: Place, folder: string, script: string): Promise<Ran> {
    const mount = `mount -t tmpfs -o size=64k,mode=700 tmpfs ${folder}`
    // A user and mounts of its own: no right is needed for that, and no other user sees it.
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
    expect(ran).toMatchObject({stdout: '0\n', stderr: 'no rooms; add some: roomctl sandbox seed\n', exit: 0})
  })

  // A list is written in several pieces, an object in one: of both the disk takes a part at first.
  test.each([
    ['a list', 'room list -o json'],
    ['an object', 'room show "$(cat long)" -o json'],
  ])('cuts no result short without a word: %s', async (_, line) => {
    const ran = await onSmallDisk(
      freshPlace({ROOMCTL_PROFILE: 'sandbox'}),
      'disk',
      `roomctl sandbox reset --seed demo > /dev/null
       roomctl room create long --created-by ann --description "$(printf '%06000d' 0)" -q > long
       cat /dev/zero > disk/filling 2> /dev/null; truncate -s -4096 disk/filling
       roomctl ${line} > disk/result; echo "ended with $?"
       roomctl ${line} | head -c 4096 | cmp - disk/result && echo "cut after a block"`,
    )
    expect(ran.stdout).toBe('ended with 14\ncut after a block\n')
    expect(ran.stderr).toContain('cannot write to stdout: the disk is full')
  })
})
