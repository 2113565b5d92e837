import * as z from 'zod/mini'
import {manifest} from '../../src/api/contract/manifest.js'

/** The manifest of `asset sync` as a JSON Schema, in the format of the project's other JSON files. */
export function manifestSchema(): string {
  const {$schema, ...shape} = z.toJSONSchema(manifest, {io: 'input'})
  const schema = {
    $schema,
    $comment: 'Made by `npm run docs`; an edit here is lost.',
    title: 'Manifest of roomctl asset sync',
    description: 'The files of a bundle and what the asset service is told of them. Written as YAML or JSON.',
    ...shape,
  }
  return `${onOneLine(JSON.stringify(schema, null, 2))}\n`
}

/** Puts lists of words on one line. */
function onOneLine(json: string): string {
  return json.replace(/\[\s*("[^"[\]]*"(?:,\s*"[^"[\]]*")*)\s*\]/gu, (_, words: string) => {
    return `[${words.replace(/,\s+/gu, ', ')}]`
  })
}
