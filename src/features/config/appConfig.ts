import type {InferredFlags} from '@oclif/core/interfaces'
import type {createConfiguration, updateConfiguration} from '../../api/contract/appConfig.js'
import {applicationFlags, changeFlags, switchFlag} from '../../cli/flags/flags.js'
import {parseWholeNumber} from '../../cli/flags/parseValues.js'
import {requireApplicationId} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {safeText} from '../../text/text.js'
import {mutate} from '../mutation/mutate.js'
import {parseHostSelection, roomFieldFlags} from '../room/roomFlags.js'

export const configurationFlags = {
  ...changeFlags,
  ...applicationFlags,
  max: roomFieldFlags.max,
  joinable: roomFieldFlags.joinable,
  host: roomFieldFlags.host,
  // The two texts differ: without an election a meeting continues (room, States), but an application's setting destroys the room.
  'elect-host': switchFlag('elect a new host when the host leaves; else the room ends', {allowNo: true}),
  'download-record': switchFlag('allow ordinary users to download recordings', {allowNo: true}),
}

type ConfigurationFlags = InferredFlags<typeof configurationFlags>

export async function changeConfiguration(
  session: Session,
  flags: ConfigurationFlags,
  operation: typeof createConfiguration | typeof updateConfiguration,
  past: string,
): Promise<void> {
  const applicationId = await requireApplicationId(session)
  const body = bodyOf(flags)
  if (operation.id === 'appConfig.update' && Object.keys(body).length === 0) throw nothingToChange()
  await mutate(session, flags, {
    operation,
    input: () => ({path: {applicationId}, body}),
    members: ['application_id', ...Object.keys(body)],
    result: () => ({
      value: {application_id: applicationId, ...body},
      id: applicationId,
      sentence: `${past} the configuration of application ${safeText(applicationId)}`,
    }),
  })
}

function nothingToChange(): Failure {
  const flags = '--max, --joinable, --host, --elect-host, --download-record or one with --no-'
  return wrongUsage('no changes given', {try: `add at least one of ${flags}`})
}

function bodyOf(flags: ConfigurationFlags) {
  const {max, joinable, host, 'elect-host': elect, 'download-record': download} = flags
  return {
    ...(max === undefined ? {} : {config_max_attendee_count: parseWholeNumber('--max', max, {min: 1})}),
    ...(joinable === undefined ? {} : {config_is_joinable_view: joinable}),
    ...(host === undefined ? {} : {config_host_selection_type: parseHostSelection(host)}),
    ...(elect === undefined ? {} : {config_is_elect_host: elect}),
    ...(download === undefined ? {} : {config_is_download_record: download}),
  }
}
