import type {Diagnosis} from '../../view/tool/doctor.js'

type Details = Readonly<Record<string, unknown>>

/** Nothing is wrong. */
export function ok(check: string, what: string, details: Details | null = null): Diagnosis {
  return {check, state: 'ok', what, fix: null, details}
}

/** Nothing is wrong, and it can be had better; it is no finding. */
export function hint(check: string, what: string, fix: string, details: Details | null = null): Diagnosis {
  return {check, state: 'ok', what, fix, details}
}

/** Works, and will not for ever, or is less safe than it should be. */
export function warn(check: string, what: string, fix: string, details: Details | null = null): Diagnosis {
  return {check, state: 'warn', what, fix, details}
}

/** Does not work. */
export function fail(check: string, what: string, fix: string, details: Details | null = null): Diagnosis {
  return {check, state: 'fail', what, fix, details}
}
