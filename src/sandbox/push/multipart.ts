import type {BusboyInstance} from '@fastify/busboy'
import {refuse} from '../wire/refusal.js'

/** What a request with a file may hold; limits are not shown by the document. */
const limits = {files: 1, fileSize: 1024 * 1024, fields: 10, fieldSize: 8192, parts: 11, headerPairs: 20}

type Field = [name: string, value: string | Uint8Array]

/** The fields of a multipart/form-data body, a file as its bytes. Refuses with CE001 what is broken or too much. */
export async function readMultipart(contentType: string, body: Uint8Array): Promise<Field[]> {
  const {Busboy} = await import('@fastify/busboy')
  try {
    return await fieldsOf(new Busboy({headers: {'content-type': contentType}, limits}), body)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return refuse('CE001', `body: cannot be read as multipart/form-data (${why})`)
  }
}

function fieldsOf(parser: BusboyInstance, body: Uint8Array): Promise<Field[]> {
  const fields: Field[] = []
  return new Promise((resolve, reject) => {
    const tooMuch = (what: string) => () => reject(new Error(`more than ${what}`))
    parser.on('file', (name, stream) => {
      const parts: Uint8Array[] = []
      stream.on('data', (part: Uint8Array) => parts.push(part))
      stream.on('limit', tooMuch(`${limits.fileSize} bytes in a file`))
      stream.on('error', reject)
      stream.on('end', () => fields.push([name, Buffer.concat(parts)]))
    })
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) tooMuch(`${limits.fieldSize} bytes in a field`)()
      fields.push([name, value])
    })
    parser.on('filesLimit', tooMuch('one file'))
    parser.on('fieldsLimit', tooMuch(`${limits.fields} fields`))
    parser.on('partsLimit', tooMuch(`${limits.parts} parts`))
    parser.on('error', reject)
    parser.on('finish', () => resolve(fields))
    parser.end(body)
  })
}
