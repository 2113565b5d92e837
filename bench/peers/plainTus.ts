import {createReadStream} from 'node:fs'
import path from 'node:path'
import * as tus from 'tus-js-client'

// tus-js-client with its defaults, as its README shows it, and nothing of ours; it keeps no state, so it cannot resume a killed upload.
// Arguments: the address that uploads are created at, how many files at a time, and the files.

const [endpoint = '', width = '1', ...files] = process.argv.slice(2)
for (let at = 0; at < Number(width); at += 1) next()

function next(): void {
  const file = files.shift()
  if (file !== undefined) upload(file)
}

function upload(file: string): void {
  const headers = {
    Authorization: 'Bearer bench',
    Original_File_Name: path.basename(file),
    Platform: 'ios',
    Description: 'bench',
  }
  const onError = (error: Error) => {
    throw error
  }
  new tus.Upload(createReadStream(file), {endpoint, headers, onSuccess: next, onError}).start()
}
