import * as Flags from '@oclif/core/flags'
import type {create, update} from '../../api/contract/appConfig.js'
import {Failure} from '../../api/contract/failure.js'
import {applicationFlags, changeFlags} from '../../cli/flags/flags.js'
import {parseWholeNumber} from '../../cli/flags/parseValues.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {confirmChange, describeChange} from '../../cli/prompts/confirm.js'
import {required, type Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {presentPreviews, previewRequest} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {roomFieldFlags} from '../room/roomFlags.js'

/** The fields of the application configuration as flags (room, Application configuration). */
export const configurationFlags = {
  ...changeFlags,
  ...applicationFlags,
  max: roomFieldFlags.max,
  joinable: roomFieldFlags.joinable,
  host: roomFieldFlags.host,
  'elect-host': roomFieldFlags['elect-host'],
  'download-record': Flags.boolean({allowNo: true, summary: 'whether ordinary users may download recordings'}),
}

interface ConfigurationFlags {
  readonly max?: string | undefined
  readonly joinable?: boolean
  readonly host?: string | undefined
  readonly 'elect-host'?: boolean
  readonly 'download-record'?: boolean
  readonly 'dry-run'?: boolean
  readonly confirm?: string | undefined
}

/** Sends the fields that were given, and says what was done. */
export async function changeConfiguration(
  session: Session,
  flags: ConfigurationFlags,
  operation: typeof create | typeof update,
  past: string,
): Promise<void> {
  const applicationId = required(session, 'applicationId', '--application-id')
  const body = bodyOf(flags)
  if (operation.id === 'appConfig.update' && Object.keys(body).length === 0) throw nothingToChange()
  const input = {path: {applicationId}, body}
  if (flags['dry-run']) return presentPreviews(session, [await previewRequest(session, operation, input)])
  const view = await resultView(session, ['application_id', ...Object.keys(body)])
  await confirmChange(session, flags, describeChange(operation, input))
  await sendJournaled(session, operation, input)
  const sentence = `${past} the configuration of application ${safeText(applicationId)}`
  await presentDone(session, view, {application_id: applicationId, ...body}, applicationId, sentence)
}

function nothingToChange(): Failure {
  const flags = '--max, --joinable, --host, --elect-host, --download-record or one with --no-'
  return new Failure({exit: 'usage', message: 'nothing to change was given', try: `add at least one of ${flags}`})
}

function bodyOf(flags: ConfigurationFlags) {
  const {max, joinable, host, 'elect-host': elect, 'download-record': download} = flags
  return {
    ...(max === undefined ? {} : {config_max_attendee_count: parseWholeNumber('--max', max, {min: 1})}),
    ...(joinable === undefined ? {} : {config_is_joinable_view: joinable}),
    ...(host === undefined
      ? {}
      : {config_host_selection_type: host === 'creator' ? ('CREATOR' as const) : ('FIRST_ENTER_USER' as const)}),
    ...(elect === undefined ? {} : {config_is_elect_host: elect}),
    ...(download === undefined ? {} : {config_is_download_record: download}),
  }
}
