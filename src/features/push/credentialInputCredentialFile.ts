import {readSmallFile} from '../../cli/files/readFile.js'

/** What the checks of src/credential take at most too. */
const maxBytes = 1024 * 1024

/**
 * The bytes of a file of credentials: a .p8, a .p12, or whatever somebody takes for one. Raises a Failure (file): it cannot be
 * read, is no regular file, or is larger than 1 MiB.
 */
export async function readCredentialFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return readSmallFile(path, {maxBytes, most: '1 MiB, and a key or certificate has a few KiB'}).bytes
}
