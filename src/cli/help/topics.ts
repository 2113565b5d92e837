import type {Article} from './article.js'
import {environment} from './environment.js'
import {exitCodes} from './exitCodes.js'
import {output} from './output.js'
import {security} from './security.js'
import {selectors} from './selectors.js'
import {times} from './times.js'

export interface HelpTopic {
  /** As it stands behind `roomctl help`. */
  readonly name: string
  /** One line, without a stop. */
  readonly summary: string
  readonly article: Article
}

/** What is told apart from the commands, in the order in which it is listed. */
export const helpTopics: readonly HelpTopic[] = [
  {name: 'environment', summary: 'Environment variables that are read', article: environment},
  {name: 'exit-codes', summary: 'How commands end, for scripts', article: exitCodes},
  {name: 'output', summary: 'Formats, columns, queries and colour', article: output},
  {name: 'security', summary: 'Secrets, questions before a change, and what is kept where', article: security},
  {name: 'selectors', summary: 'Expressions that choose rooms', article: selectors},
  {name: 'times', summary: 'Moments, durations and zones, typed and shown', article: times},
]
