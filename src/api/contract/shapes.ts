import * as z from 'zod/mini'

/** No path or query parameters. */
export const none = z.strictObject({})

/** The service defines the form of its identifiers, so only an empty one is refused. */
export const id = z.string().check(z.minLength(1))

export const roomPath = z.strictObject({roomId: id})

/** A credential that the service issues; not only blanks. */
export const issuedToken = z.string().check(z.regex(/\S/u))

/** Of an operation that answers with the bare envelope (`Response: envelope only`), or without a body. */
export const nothing = z.pipe(
  z.unknown(),
  z.transform((): undefined => undefined),
)

/** A body that the document does not show (push, Rules 5): null if it was no JSON. */
export const unshown = z.unknown()

/** A reply field that the service may leave out or send as null. */
export function maybe<S extends z.ZodMiniType>(shape: S) {
  return z.optional(z.nullable(shape))
}

/** A whole number that a double cannot hold is a bigint, so that it is shown by its digits. */
export const number = z.union([z.number(), z.bigint()])

// Making shapes takes longer than the rest of a contract, so those of the same form are shared.
export const string = z.string()
export const boolean = z.boolean()
export const maybeString = maybe(string)
export const maybeBoolean = maybe(boolean)
export const maybeNumber = maybe(number)
export const optionalString = z.optional(string)
export const optionalBoolean = z.optional(boolean)
export const optionalNumber = z.optional(z.number())

/** room, Enumerations: CREATOR makes the creator host, FIRST_ENTER_USER the first to enter. */
export const hostSelectionTypes = ['CREATOR', 'FIRST_ENTER_USER'] as const

/** push, Notification configuration record: which iOS credential is registered. */
export const apnsTypes = ['CERTIFICATE', 'TOKEN', 'NONE'] as const

/** The word of a flag for a value on the wire: `single-speaker` for SINGLE_SPEAKER. */
export function wordOf(value: string): string {
  return value.toLowerCase().replaceAll('_', '-')
}

/** Values on the wire, each under its word. */
export function byWord<Wire extends string>(values: readonly Wire[]): Readonly<Record<string, Wire>> {
  return Object.fromEntries(values.map((value) => [wordOf(value), value]))
}
