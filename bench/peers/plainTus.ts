import {createReadStream} from 'node:fs'
import path from 'node:path'
import * as tus from 'tus-js-client'

// tus-js-client with its defaults, as its README shows it, and nothing of ours. Arguments: the address that uploads are
// created at, how many files at a time, the file of its FileUrlStorage or `-`, and the files. Prints how many files came
// to their end, and how many were lost.

const [endpoint = '', width = '1', state = '-', ...files] = process.argv.slice(2)
// Its types leave out the class that its README tells to use.
const {FileUrlStorage} = tus as unknown as {FileUrlStorage: new (file: string) => tus.UrlStorage}
const storage = state === '-' ? {} : {urlStorage: new FileUrlStorage(state)}
const left = [...files]
let done = 0
let lost = 0

// With FileUrlStorage several uploads at a time can fail to get its lock: that is raised where nobody can catch it, and
// the upload never ends. Its place is given to the next one, or the program would hang.
process.on('unhandledRejection', () => {
  lost += 1
  next()
})
process.on('exit', () => process.stdout.write(`done ${done} lost ${lost}\n`))
for (let at = 0; at < Number(width); at += 1) next()

function next(): void {
  const file = left.shift()
  if (file !== undefined) void upload(file)
  else if (done + lost === files.length) process.exit(0)
}

async function upload(file: string): Promise<void> {
  const headers = {
    Authorization: 'Bearer bench',
    Original_File_Name: path.basename(file),
    Platform: 'ios',
    Description: 'bench',
  }
  const options: tus.UploadOptions = {
    endpoint,
    headers,
    ...storage,
    onSuccess: () => {
      done += 1
      next()
    },
    onError: (error) => {
      throw error
    },
  }
  const one = new tus.Upload(createReadStream(file), options)
  if (state !== '-') {
    const [previous] = await one.findPreviousUploads()
    if (previous) one.resumeFromPreviousUpload(previous)
  }
  one.start()
}
