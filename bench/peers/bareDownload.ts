import {mkdirSync} from 'node:fs'
import {open, rename} from 'node:fs/promises'
import {Agent, get} from 'node:http'
import path from 'node:path'
import {buffer, text} from 'node:stream/consumers'

// The floor of downloads: a loop over node:http that reads a container and the metadata of each resource, and writes, syncs and
// renames each file. It proves nothing and cannot resume. Arguments: the container's address, a folder, and how many files at a time.

const [container = '', folder = '', width = '1'] = process.argv.slice(2)
const agent = new Agent({keepAlive: true})
const send = (url: string) =>
  new Promise<import('node:http').IncomingMessage>((resolve, reject) => get(url, {agent}, resolve).on('error', reject))

interface Listing {
  readonly resources: {readonly assetResources: readonly {readonly name: string; readonly uri: string}[]}
}

async function lane(left: Listing['resources']['assetResources'][number][]): Promise<void> {
  for (let resource = left.pop(); resource; resource = left.pop()) {
    const address = new URL(resource.uri.replace(/\?.*$/, ''), container)
    const {dataUrl}: {dataUrl: string} = JSON.parse(await text(await send(`${address}?type=meta`)))
    const bytes = await buffer(await send(dataUrl))
    const part = path.join(folder, `${resource.name}.part`)
    const file = await open(part, 'w')
    await file.writeFile(bytes)
    await file.datasync()
    await file.close()
    await rename(part, path.join(folder, resource.name))
  }
}

async function download(): Promise<void> {
  mkdirSync(folder, {recursive: true})
  const listing: Listing = JSON.parse(await text(await send(container)))
  const left = [...listing.resources.assetResources]
  await Promise.all(Array.from({length: Number(width)}, () => lane(left)))
  agent.destroy()
}

void download()
