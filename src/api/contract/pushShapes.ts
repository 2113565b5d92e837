import * as z from 'zod/mini'
import {id, maybe} from './shapes.js'

/** push, Enumerations: push_type. */
export const pushTypes = ['ANDROID', 'IOS'] as const

/** push, Enumerations: destination entries. An older variant of the document has no ALL. */
export const destinations = ['ANDROID', 'IOS', 'ALL'] as const

/** push, Enumerations: dispatch_type. RECURRING is documented as not supported. */
export const dispatchTypes = ['IMMEDIATE', 'SCHEDULED', 'RECURRING'] as const

/** push, Notification configuration record: which iOS credential is registered. */
export const apnsTypes = ['CERTIFICATE', 'TOKEN', 'NONE'] as const

/**
 * push, Rules 1: year, month, day, the letter T, hour, minute and second in UTC. The document names no separators; the other
 * reading has those of ISO 8601 (product §9).
 */
const dispatchDate = z.string().check(z.regex(/^\d{8}T\d{6}$|^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/))

/** push, Device token registration: one or more characters, none of them white space. */
export const pushToken = z.string().check(z.regex(/^\S+$/))

/** push, Endpoints: the body of operation 3, and of operation 4. */
export const notification = z.strictObject({
  title: id,
  body: id,
  dispatch_type: z.enum(dispatchTypes),
  destination: z.array(z.enum(destinations)).check(z.minLength(1)),
  dispatch_date: z.optional(dispatchDate),
})

/** A file in a multipart body, as its bytes. */
export const fileBytes = z.instanceof(Uint8Array)

const transaction = z.looseObject({
  recipient_id: maybe(z.string()),
  transaction_id: maybe(z.string()),
  transaction_type: maybe(z.string()),
  status: maybe(z.string()),
})
export type Transaction = z.output<typeof transaction>

/** push, Send result. */
export const sendResult = z.looseObject({transactions: z.array(transaction)})

const transactionRecord = z.looseObject({
  request_id: maybe(z.string()),
  transaction_at: maybe(z.string()),
  recipient_id: maybe(z.string()),
  transaction_id: maybe(z.string()),
  status: maybe(z.string()),
})
export type TransactionRecord = z.output<typeof transactionRecord>

/** push, Transaction record. How many an answer holds is not shown, nor what they stand in: one, a list, or a list in a member. */
export const transactionRecords = z.nullable(
  z.union([z.array(transactionRecord), z.looseObject({transactions: z.array(transactionRecord)}), transactionRecord]),
)

/** push, Notification configuration record; null where nothing is registered (204). */
export const pushConfiguration = z.nullable(
  z.looseObject({
    fcm_server_key: maybe(z.string()),
    package_name: maybe(z.string()),
    bundle_id: maybe(z.string()),
    team_id: maybe(z.string()),
    key_id: maybe(z.string()),
    ios_apns_type: maybe(z.string()),
    certificate_expiry_date: maybe(z.string()),
  }),
)
export type PushConfiguration = NonNullable<z.output<typeof pushConfiguration>>

/** The body of an answer that the document does not show (push, Rules 5): whatever came, null where it was no JSON. */
export const unshown = z.unknown()
