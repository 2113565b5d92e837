import type {Diagnosis} from '../../../view/tool/doctor.js'
import {hint, ok} from './finding.js'

const check = 'asset headers'

/**
 * Uploads send headers with underscores in their names (asset, Upload), which nginx drops unless it is told to keep them. No
 * read shows whether they arrive; whether such a server stands in the way can show in an answer's headers.
 */
export function checkUnderscores(headers: Readonly<Record<string, string>>): Diagnosis {
  const {server = '', via = ''} = headers
  const said = [server, via].filter((value) => value !== '')
  const details = {server: server || null, via: via || null}
  if (!/nginx|openresty|tengine/iu.test(said.join(' ')) && via === '') {
    const what = 'no sign of a proxy that drops headers with underscores; the first upload is read back and would tell'
    return ok(check, what, details)
  }
  const what = `the answer came through ${said.join(', ')}, which may drop the headers of uploads with underscores; only an upload can tell`
  return hint(check, what, 'in nginx: underscores_in_headers on; an upload that loses its name says so', details)
}
