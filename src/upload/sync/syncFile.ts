import type {Platform} from '../../api/contract/asset.js'
import type {Role} from '../../api/contract/manifest.js'

/** What a bundle belongs to: another file of the same run, or a resource that the service has. */
export type Link = {readonly file: string} | {readonly uuid: string}

/** A file to be synced, as a manifest or a folder names it; what neither says comes from the flags. */
export interface ListedFile {
  /** Its path below the folder, with `/` between the parts: what results call it. */
  readonly key: string
  /** Absolute. */
  readonly path: string
  readonly role: Role
  /** Original_File_Name. */
  readonly name: string
  readonly platform?: Platform
  readonly description?: string
  readonly link?: Link
  /** What the file must be, in hex. */
  readonly sha256?: string
}

/** A file to be synced, with all that its upload says of it. */
export interface SyncFile extends ListedFile {
  readonly platform: Platform
  readonly description: string
}

/** What a folder or a manifest names. */
export interface FileList {
  /** What was read, as it was given. */
  readonly source: string
  /** The container that a manifest is meant for, as it stands there. */
  readonly container?: string
  readonly files: readonly ListedFile[]
  /** What a person should know of files that are left out or not linked; sentences without a stop. */
  readonly notes: readonly string[]
}
