import {agents} from './agents.js'
import type {Article} from './article.js'
import {environment} from './environment.js'
import {exitCodes} from './exitCodes.js'
import {fields} from './fields.js'
import {flags} from './flags.js'
import {output} from './output.js'
import {sandbox} from './sandbox.js'
import {security} from './security.js'
import {selectors} from './selectors.js'
import {times} from './times.js'

export interface HelpTopic {
  /** The word after `roomctl help`. */
  readonly name: string
  /** One line, without a full stop. */
  readonly summary: string
  readonly article: Article
}

/** The topics that are no commands, in the order of their list. */
export const helpTopics: readonly HelpTopic[] = [
  {name: 'agents', summary: 'Rules for programs that drive roomctl', article: agents},
  {name: 'environment', summary: 'Environment variables', article: environment},
  {name: 'exit-codes', summary: 'Exit codes and errors, for scripts', article: exitCodes},
  {name: 'fields', summary: 'Fields of JSON answers, by command', article: fields},
  {name: 'flags', summary: 'The flags that commands have in common', article: flags},
  {name: 'output', summary: 'Formats, columns, queries and colour', article: output},
  {name: 'sandbox', summary: 'The sandbox, and how it reads the documents', article: sandbox},
  {name: 'security', summary: 'Secrets, confirmations and files', article: security},
  {name: 'selectors', summary: 'Expressions that select rooms', article: selectors},
  {name: 'times', summary: 'Times, durations and time zones', article: times},
]
