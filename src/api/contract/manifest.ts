import * as z from 'zod/mini'
import {platforms} from './assetShapes.js'

export const roles = ['asset', 'catalog', 'bundle'] as const
export type Role = (typeof roles)[number]

/** The prefix of a link to a resource of the service instead of a file of the manifest. */
export const uuidLink = 'uuid:'

/** The manifest of a folder is the first of these. */
export const manifestNames = ['roomctl.assets.yaml', 'roomctl.assets.yml', 'roomctl.assets.json'] as const

/** No control characters, in the syntax that JavaScript, Python and Go share. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused; Go has no \u and Python no \p
const oneLine = /^[^\x00-\x1f\x7f-\x9f]*$/u

/** One line, for a header (asset, Create upload headers). */
const line = z.string().check(z.minLength(1), z.regex(oneLine))
const platform = z.enum(platforms)

const fileShape = z.strictObject({
  path: line.check(
    z.describe('The file, relative to the folder of the manifest, with / as separator; it must be inside that folder.'),
  ),
  role: z.enum(roles).check(z.describe('What the file is: asset, catalog, or bundle. Only a bundle can have a link.')),
  link: z.optional(
    line.check(
      z.describe(
        'The asset file that a bundle belongs to (Asset_Resource_File_Id): the path of another file in this manifest, which is uploaded first, or uuid: followed by the uuid of an existing resource.',
      ),
    ),
  ),
  name: z.optional(line.check(z.describe('The stored name, with an extension (default: the file name).'))),
  description: z.optional(line.check(z.describe('Its description (default: that of the manifest).'))),
  platform: z.optional(platform.check(z.describe('Its platform (default: that of the manifest).'))),
  sha256: z.optional(
    z
      .string()
      .check(
        z.regex(/^[0-9a-fA-F]{64}$/),
        z.describe('The expected sha256, as 64 hex digits; a file that does not match is not uploaded.'),
      ),
  ),
})

/** The manifest of `asset sync`. Published as a JSON Schema. */
export const manifest = z.strictObject({
  $schema: z.optional(z.string().check(z.describe('Where an editor finds this schema; otherwise ignored.'))),
  version: z.literal(1).check(z.describe('The version of this format.')),
  container: z.optional(
    line.check(z.describe('The target container, such as games/puzzle; a sync to another container is refused.')),
  ),
  platform: z.optional(platform.check(z.describe('The default platform of files.'))),
  description: z.optional(line.check(z.describe('The default description of files.'))),
  files: z
    .array(fileShape)
    .check(z.minLength(1), z.describe('The files, in any order; link targets are uploaded first.')),
})
export type Manifest = z.output<typeof manifest>
export type ManifestFile = Manifest['files'][number]

export const manifestMembers = Object.keys(manifest._zod.def.shape)
export const manifestFileMembers = Object.keys(fileShape._zod.def.shape)
