import {methods, readingMethods, services} from '../api/contract/operation.js'
import {RoomctlCommand} from '../cli/app/baseCommand.js'
import {changeFlags, commandExamples, repeatableFlag, requiredArg, switchFlag, valueFlag} from '../cli/flags/flags.js'
import {parseChoice} from '../cli/flags/parseValues.js'
import {readTextInput} from '../cli/input/readIds.js'
import {confirmChange} from '../cli/prompts/confirm.js'
import {assertWritable} from '../cli/session/readOnly.js'
import {wrongUsage} from '../failure.js'
import {callRaw, checkResponseOutput, fieldsOf, type OwnCall, planRaw} from '../features/api/rawCall.js'
import {presentPreviews} from '../features/mutation/dryRun.js'
import {exactJson} from '../text/json.js'
import {safeText} from '../text/text.js'

export default class Api extends RoomctlCommand {
  static override changes = true
  static override summary = 'Send a custom request to a service'
  static override description =
    `Sends one request with the profile's address and credential and prints the response unchanged. PATH is appended to the
service address and may contain a query. Fields become a JSON body, or the query of a GET, HEAD or OPTIONS: -f takes text,
-F takes JSON as key:=json. -o json, ndjson, yaml and --query work on a JSON response. A FAIL envelope, an HTTP error,
a redirect and an HTML page go to stderr and set the exit code.`
  static override args = {
    service: requiredArg('SERVICE', services.join(', ')),
    method: requiredArg('METHOD', methods.join(', ')),
    path: requiredArg('PATH', 'begins with /'),
  }
  static override flags = {
    ...changeFlags,
    field: repeatableFlag('key=value', 'a text field', {char: 'f'}),
    'json-field': repeatableFlag('key:=json', 'a JSON field', {char: 'F'}),
    input: valueFlag('FILE', 'the body; - reads it from stdin', {exclusive: ['field', 'json-field']}),
    include: switchFlag('print the status and headers too'),
  }
  static override examples = commandExamples({
    'Read something': 'roomctl api room GET /v1/rooms/r-standup',
    'Change something': 'roomctl api room POST /v1/rooms/r-standup/attendees -F \'attendees:=["ben"]\'',
    'With status and headers': "roomctl api room GET '/v1/rooms?asc=true' --include",
  })

  /** The method decides. */
  protected override assertAllowed(): void {}

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(Api)
    const method = parseChoice('METHOD', args.method, methods)
    const reads = readingMethods.has(method)
    if (!reads && !flags['dry-run']) assertWritable(session)
    const fields = fieldsOf(flags.field ?? [], flags['json-field'] ?? [])
    if (!args.path.startsWith('/')) {
      throw wrongUsage('PATH must begin with /', {why: 'it is appended to the service’s address'})
    }
    const input = flags.input === undefined ? undefined : await readTextInput(session, flags.input)
    const call: OwnCall = {
      service: parseChoice('SERVICE', args.service, services),
      method,
      path: args.path,
      query: reads ? fields : {},
      body: input ?? (reads || Object.keys(fields).length === 0 ? undefined : exactJson(fields)),
      include: flags.include,
    }
    if (flags['dry-run']) return presentPreviews(session, [await planRaw(session, call)])
    await checkResponseOutput(session.output)
    if (!reads) await confirmChange(session, flags, call.service, safeText(`call ${method} ${args.path}`))
    await callRaw(session, call)
  }
}
