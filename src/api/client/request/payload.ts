import type {FormField, RequestParts} from './layout.js'

/** A body as it goes over the wire, with the header that says what it is. */
export interface RequestBody {
  readonly body: string | Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The fields of a form, a file as its size, for `--dry-run`; absent for JSON, which shows itself. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/**
 * The name that a file is sent under: a service may look at its ending, and a name of the user's own may hold anything.
 * By the fields of the document (push §6, push §7).
 */
const fileNames: Readonly<Record<string, string>> = {
  auth_key_file: 'AuthKey.p8',
  certificate_file: 'certificate.p12',
}

/** Encodes the body of a request: JSON, a form, or a form with files (multipart/form-data). */
export async function encodeBody({body, form}: RequestParts, fileFields: readonly string[]): Promise<RequestBody> {
  if (form !== undefined) return fileFields.length > 0 ? multipart(form, fileFields) : urlencoded(form)
  if (body === undefined) return {body: undefined, headers: {}}
  return {body: JSON.stringify(body), headers: {'content-type': 'application/json'}}
}

function urlencoded(form: readonly FormField[]): RequestBody {
  const pairs = form.map(({name, value}): [string, string] => [name, String(value)])
  return {
    body: new URLSearchParams(pairs).toString(),
    headers: {'content-type': 'application/x-www-form-urlencoded'},
    fields: shownFields(form),
  }
}

/** By the FormData of the runtime, which writes what the standard says and draws its boundary at random. */
async function multipart(form: readonly FormField[], fileFields: readonly string[]): Promise<RequestBody> {
  const data = new FormData()
  for (const {name, value} of form) {
    if (typeof value === 'string') data.append(name, value)
    else
      data.append(name, new File([value], fileNames[fileFields[0] ?? ''] ?? 'file', {type: 'application/octet-stream'}))
  }
  const encoded = new Response(data)
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    headers: {'content-type': encoded.headers.get('content-type') ?? 'multipart/form-data'},
    fields: shownFields(form),
  }
}

function shownFields(form: readonly FormField[]): Readonly<Record<string, unknown>> {
  const names = [...new Set(form.map(({name}) => name))]
  return Object.fromEntries(
    names.map((name) => {
      const values = form.filter((field) => field.name === name).map(({value}) => shownValue(value))
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

function shownValue(value: string | Uint8Array): string {
  return typeof value === 'string' ? value : `(file, ${value.length} bytes)`
}
