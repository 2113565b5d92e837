import {join} from 'node:path'
import type {Session} from './session.js'

/** The folder of the sandbox that a command is about. */
export function sandboxFolder({places}: Session, given: string | undefined): string {
  return given ?? join(places.data, 'sandbox')
}
