import {iosCertificate} from '../../src/api/contract/push.js'
import {parseOwnRoute} from '../../src/cli/session/routeValidation.js'
import {block, code, table} from './markdown.js'

const example = {
  method: 'PUT',
  path: '/v2/apps/{application_id}/apns',
  send: {apns_certificate_password: 'form'},
  rename: {bundle_id: 'bundleId'},
}

/** What a route of one's own can say, once for all the places that take one. Raises a Failure where the example would be refused. */
export function ownRoutesText(): string[] {
  parseOwnRoute(iosCertificate, JSON.stringify(example))
  return [
    '## Routes of your own',
    'A route is a method and a path, `DELETE /v2/requests`. Where a service also wants its parameters elsewhere, it is a JSON ' +
      'object. `--route ID=ROUTE`, the route variables and the profile (`config route set ID ROUTE`) take both forms, and win in ' +
      'this order; in the profile file the object stands as one.',
    block('json', JSON.stringify(example, undefined, 2)),
    table(
      ['Member', 'What it is'],
      [
        [code('method'), 'GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.'],
        [
          code('path'),
          'Begins with one slash and is appended to the address of the service: a route never names another host. It names ' +
            'every parameter that the built-in path names. Any other that is one text, number or truth value may be named too, ' +
            'and then stands in the path alone; a list, an object, a file or a secret may not.',
        ],
        [
          code('send'),
          'Puts a parameter of the query or the body into `query`, `body`, `form` or `header`. A form is multipart/form-data ' +
            'where the operation has files; elsewhere it takes the place of the JSON body, and nothing may stay there. Lists and ' +
            'objects go into the body or a form only, and a GET gets no body. Files stay in their form, headers where they are.',
        ],
        [code('rename'), 'Gives a parameter, or a file, another name where it stands.'],
      ],
    ),
    'A route that would lose a parameter, send it twice or send two under one name is refused before anything is sent. ' +
      '`roomctl config route test ID` shows where each would stand, and `config route list` what is moved and renamed.',
  ]
}
