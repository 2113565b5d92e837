/** The error codes of the room document (room, Errors), and the one of its recording sample (room §14). */
export const codes = [
  'CE001',
  'CE002',
  'CE003',
  'CE100',
  'CE101',
  'CE200',
  'U001',
  'D001',
  'T001',
  'T002',
  'ER001',
  'AA001',
  'AA002',
  'BR001',
  'BA001',
  'DH001',
  'RE001',
  'RE003',
  'FAILED_PRECONDITION',
] as const

export type Code = (typeof codes)[number]

/** room, Errors, Common. */
export const commonCodes = ['CE001', 'CE002', 'CE003', 'CE100', 'CE101', 'CE200'] as const satisfies readonly Code[]

export function isCode(text: string): text is Code {
  return (codes as readonly string[]).includes(text)
}
