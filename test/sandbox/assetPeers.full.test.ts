import {execFile} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {createReadStream, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {Upload} from 'tus-js-client'
import {expect, test} from 'vitest'
import {freshFolder} from '../support/folder.js'
import {assetStage, bearer, sha256} from './assetStage.js'

const run = promisify(execFile)

test('curl and openssl alone upload a file, ask how far it came, and read it back', async () => {
  const on = await assetStage()
  const folder = freshFolder()
  writeFileSync(join(folder, 'level.bundle'), randomBytes(1_200_000))
  const day = `
    token='Authorization: Bearer sandbox-application-token'
    tus='Tus-Resumable: 1.0.0'
    bytes='Content-Type: application/offset+octet-stream'
    location=$(curl -sS -D - -o created -X POST -H "$token" -H "$tus" -H 'Upload-Length: 1200000' -H 'Platform: windows' \\
      -H 'Original_File_Name: level.bundle' -H 'Description: by curl' '${on.origin}/asset/games/archive' |
      tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')
    head -c 500000 level.bundle > part
    curl -sS -X PATCH -T part -H "$token" -H "$tus" -H "$bytes" -H 'Upload-Offset: 0' "$location"
    offset=$(curl -sS -I -H "$token" -H "$tus" "$location" | tr -d '\\r' | sed -n 's/^[Uu]pload-[Oo]ffset: //p')
    echo "$offset"
    tail -c +$((offset + 1)) level.bundle > rest
    sum=$(openssl sha256 -binary rest | openssl base64 -A)
    curl -sS -w '%{http_code}\\n' -X PATCH -T rest -H "$token" -H "$tus" -H "$bytes" -H "Upload-Offset: $offset" \\
      -H "Upload-Checksum: sha256 $sum" "$location"
    curl -sS -H "$token" "$location?type=asset" > back
  `
  const {stdout} = await run('sh', ['-c', day], {cwd: folder})

  expect(stdout).toBe('500000\n204\n')
  expect(sha256(readFileSync(join(folder, 'back')))).toBe(sha256(readFileSync(join(folder, 'level.bundle'))))
})

test.each([Number.POSITIVE_INFINITY, 250_000])(
  'tus-js-client as it comes uploads in chunks of %d',
  async (chunkSize) => {
    const on = await assetStage()
    const bytes = randomBytes(700_000)
    const file = join(freshFolder(), 'level.bundle')
    writeFileSync(file, bytes)

    const location = await new Promise<string | null>((resolve, reject) => {
      const upload: Upload = new Upload(createReadStream(file), {
        endpoint: `${on.origin}/asset/games/archive`,
        headers: {...bearer, Original_File_Name: 'level.bundle', Platform: 'ios', Description: 'by tus-js-client'},
        uploadSize: bytes.length,
        chunkSize,
        retryDelays: [0, 0, 0],
        onError: reject,
        onSuccess: () => resolve(upload.url),
      })
      upload.start()
    })
    const back = await on.ask(`GET ${location}?type=asset`)
    expect(sha256(back.body)).toBe(sha256(bytes))
    expect((await on.ask(`GET ${location}?type=meta`)).json).toMatchObject({
      originalFileName: 'level.bundle',
      description: 'by tus-js-client',
    })
  },
)
