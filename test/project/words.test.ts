import {execFileSync} from 'node:child_process'
import {expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {readText, root} from '../support/repository.js'

/** Turns of phrase that read like a translation, each with a sentence that it refuses and one that it allows. */
const banned: readonly (readonly [phrase: RegExp, refused: string, allowed: string])[] = [
  [/\bgo(?:es|ne)? on with\b/iu, 'the rest goes on with: roomctl asset resume', 'to resume: roomctl asset resume'],
  [/\bgo on:/iu, 'Type 130 to go on:', 'Type "130" to confirm:'],
  [/\bthe watch goes on\b/iu, 'no news: timeout; the watch goes on', 'cannot reach the service (still watching)'],
  [/\bbegins? anew\b|\bbegan anew\b|\bupload anew\b|\bcreate it anew\b/iu, 'the sandbox begins anew', 'start over'],
  [/\bheed(?:s|ed)?\b/iu, 'variables that are heeded', 'environment variables'],
  [/\bwhat became of\b|\bwhat came of it\b/iu, 'what became of pushes', 'push delivery records'],
  [/\bwhom to act as\b/iu, 'whom to act as', 'act as this user'],
  [
    /\bat most so many\b|\bthe newest so many\b|\bafter so much\b/iu,
    'show at most so many rows',
    'so many rooms that it is slow',
  ],
  [/\bas it happens\b/iu, 'tell it as it happens', 'when it happens'],
  [/\bcomes? to (?:their|its) end\b/iu, '3 come to their end', 'ends'],
  [/\bit is not known what\b/iu, 'it is not known what this replaces', 'cannot determine what this replaces'],
  [
    /\bthere is no (?:command|flag|help topic|folder|profile|operation|upload|such file)\b/iu,
    'there is no command',
    'no such file',
  ],
  [/\bthe address of the request\b/iu, 'in the address of the request', 'in the request URL'],
  [/\bis there already\b/iu, 'it is there already', 'it already exists'],
  [/\bone a line\b/iu, 'ids, one a line', 'one per line'],
  [/; may be repeated\b/iu, 'a label; may be repeated', 'a read may be repeated'],
  [/\bleave the heading out\b/iu, 'leave the heading out', 'omit the header row'],
  [/\bbehind your back\b/iu, 'behind your back', 'behind a proxy'],
  [/\bslips of the hand\b|\btelling us\b/iu, 'Slips of the hand', 'Operator mistakes'],
  [/\bnobody can be asked\b/iu, 'nobody can be asked', 'not a terminal, so roomctl cannot ask'],
  [/\bha(?:s|ve) not (?:its|the|their) form\b/iu, 'a value has not its form', 'invalid value'],
  [/\b(?:is|are|was|were) mended\b/iu, 'the version that is mended', 'only the latest version gets fixes'],
  [/\bnot confirmed, nothing\b/iu, 'not confirmed, nothing was sent', 'cancelled; nothing was sent'],
  [/\bneeds a confirmation\b/iu, 'it needs a confirmation', 'confirmation required'],
  [/\bput that right\b/iu, 'put that right and try again', 'fix that and try again'],
  [/\bleft out, hidden/iu, 'left out, hidden: .cache', 'ignored hidden entries: .cache'],
  [/\bclauses? without a stop\b/iu, 'a clause without a stop', 'a clause without a full stop'],
  [/\bso many (?:rows|characters|bytes)\b/iu, 'show so many rows', 'show N rows'],
  [/\bgo(?:es)? on (?:without|as before)\b/iu, 'the meeting goes on without a host', 'the meeting continues'],
  [
    /\bthere (?:is|was) no(?:thing to| unfinished| such| unit| field| status| operator| column)\b/iu,
    'there is no unfinished upload',
    'no unfinished uploads',
  ],
  [/\bthere are no \w+$/iu, 'there are no rooms', 'no rooms'],
  [/\bleft to the service\b/iu, 'left to the service: end', 'depends on the service: end'],
  [/\bnot to be used\b/iu, 'it is not to be used', 'it must not be used'],
  [/\bour bug\b/iu, 'our bug', 'internal error'],
  [/\b(?:nothing|everything) but \w+ is (?:sent|stored)\b/iu, 'nothing but reads is sent', 'nothing changes'],
  [/\bgiven up before\b/iu, 'given up before it was sent again', 'retries exhausted'],
  [/\bby (?:its|their) words\b/iu, 'not by its words', 'not by its text'],
  [/\bwhere there (?:is|are|was) none\b/iu, 'where there is none', 'if there is none'],
  [/\bis not of the form\b/iu, 'the address is not of the form https://host/path', 'invalid address "ftp://x"'],
  [/\bonly assumed\b/iu, 'a route that is only assumed', 'an undocumented route'],
  [/\bis without an asset link\b/iu, '1 bundle is without an asset link', 'level1.bundle has no asset link'],
  [/\bit was (?:RESERVED|MEETING|IDLE)\b/u, 'the room is MEETING; it was RESERVED', 'RESERVED → MEETING'],
  [/\bboth texts of the document\b/iu, 'both texts of the document refuse it', 'a MEETING room cannot be deleted'],
  [/\bproves nothing against\b/iu, 'proves nothing against somebody', 'does not stop deliberate tampering'],
  [/\bnothing is stored before\b/iu, 'Nothing is stored before the last answer', 'Nothing is saved until you finish'],
  [/\bnot shown to work\b/iu, 'was sent and not shown to work', 'was registered but not proven'],
  [/\bnothing known prevents\b/iu, 'nothing known prevents X from entering', 'X should be able to enter'],
  [/\bthe attendee list of any room\b/iu, 'not on the attendee list of any room', 'gina is on no attendee list'],
  [/\banyone may attend\b/iu, 'anyone may attend', 'open to anyone'],
  [/\bor somebody leaves\b/iu, 'by: the host, dora; or somebody leaves', 'who: dora (host)'],
  [/\bthe rest is not (?:started|tried)\b/iu, 'the rest is not started', 'skipping the rest'],
  [/\bstamps are on\b/iu, 'stamps are on: each description ends with', 'adding sha256 to descriptions'],
  [/\bdone, from 0 B\b/iu, 'done, from 0 B', 'done'],
  [/\bspeak TLS as expected\b/iu, 'it does not speak TLS as expected', 'TLS handshake failed'],
  [/\btakes a whole number\b/iu, '--limit takes a whole number, not ten', 'expected a number'],
  [/" is not a duration\b/iu, '"8" is not a duration: it has no unit', 'no unit in "8"'],
  [/\bno Android in use\b/iu, 'missing (no Android in use)', 'none'],
  [/\btoken of \S+ characters\b/iu, 'an ANDROID token of 22 characters', 'registered gina’s Android device'],
  [/\bholds? again\b/iu, 'The documented method and path hold again', 'Back to the default route'],
  [/\bit accepts the credential\b/iu, 'it accepts the credential: 3 rooms', 'token accepted; 3 rooms'],
  [/\bchecks?, nothing found\b/iu, '9 checks, nothing found, 3 hints', '9 checks passed, 3 hints'],
  [/\bis killed on the way\b/iu, 'is killed on the way, and goes on', 'interrupted and resumed'],
  [/\bthe transaction as FAILED\b/u, 'the service reports the transaction as FAILED', 'the service reports FAILED'],
  [/\bgives? back are\b/iu, 'the bytes that it gives back are not those', 'it returns other bytes'],
  [/\bmade of numbers\b|\bcome whole\b|\bbecome shorter\b/iu, 'the bytes did not come whole', 'incomplete'],
  [/\bmore than the command takes\b/iu, '2 arguments more than the command takes', 'unexpected arguments'],
]

/** The files of the repository that hold words for people: texts and comments of the sources, and all pages. */
const written = execFileSync('git', ['ls-files', '*.md', 'src', 'scripts', 'bin'], {cwd: root, encoding: 'utf8'})
  .split('\n')
  .filter((file) => /\.(?:md|ts|cjs|js)$/u.test(file))

/** Each place of a banned phrase in a text, with its line. */
function offenders(place: string, text: string): string[] {
  return banned.flatMap(([phrase]) => {
    // Without `u`, which would cost ten times as much: no phrase has a sign that needs it.
    const everywhere = new RegExp(phrase.source, `${phrase.flags.replace('u', '')}gm`)
    return [...text.matchAll(everywhere)].map(({0: found, index}) => {
      const line = text.slice(text.lastIndexOf('\n', index) + 1).split('\n')[0] ?? ''
      return `${place}: ${found}: ${line.slice(0, 120)}`
    })
  })
}

test('each refuses its phrase and allows the plain one', () =>
  everyCase(banned, (phrase, refused, allowed) => {
    expect(refused).toMatch(phrase)
    expect(allowed).not.toMatch(phrase)
  }))

test('no text, comment or page has a banned phrase', () => {
  expect(written.length).toBeGreaterThan(500)
  expect(written.flatMap((file) => offenders(file, readText(file)))).toEqual([])
})
