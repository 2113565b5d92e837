import * as z from 'zod/mini'

/** No path or query parameters. */
export const none = z.strictObject({})

/** An identifier that stands in a path or a body; the service defines its form, so anything but nothing is accepted. */
export const id = z.string().check(z.minLength(1))

export const roomPath = z.strictObject({roomId: id})

/** A credential that the service issues; one of blanks alone is none. */
export const issuedToken = z.string().check(z.regex(/\S/u))

/** The reply of an operation that answers with the bare envelope (`Response: envelope only`), or without a body. */
export const nothing = z.pipe(
  z.unknown(),
  z.transform((): undefined => undefined),
)

/** The body of an answer that the document does not show (push, Rules 5): whatever came, null where it was no JSON. */
export const unshown = z.unknown()

/** A reply field that the service may leave out or send as null. */
export function maybe<S extends z.ZodMiniType>(shape: S) {
  return z.optional(z.nullable(shape))
}

/** A number of a reply: a whole one that a double cannot hold is a bigint, so that it is shown by its digits. */
export const number = z.union([z.number(), z.bigint()])

// To make a shape takes longer than all else of a contract: those of the same form are one.
export const string = z.string()
export const boolean = z.boolean()
export const maybeString = maybe(string)
export const maybeBoolean = maybe(boolean)
export const maybeNumber = maybe(number)
