import {type Service, services} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {presentText} from '../../cli/output/present.js'
import {passes, reasonAgainst} from '../../cli/prompts/answerCheck.js'
import {typedPath} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, wrongUsage} from '../../failure.js'
import {looksLikeToken} from '../../redaction/looks.js'
import {checkToken} from '../../storage/profile/credential.js'
import {setValue, useProfile, withProfile} from '../../storage/profile/edit.js'
import {checkOwnProfileName, type Profile, type ProfileFile, profileNamed} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/resolve.js'
import {whyUnasked} from '../../terminal/ask.js'
import {wrap} from '../../text/width.js'
import {probeToken, storeToken, type TokenProbe} from './login.js'
import {editProfileFile} from './profileFile.js'
import {importedChanges, type ProfileExport, readExport, showImported} from './profileTransfer.js'

/** The answers so far. They are saved at the end. */
interface Answers {
  readonly name: string
  /** The profile of a colleague's file. */
  readonly shared: Profile | undefined
  readonly values: Record<string, string>
  readonly tokens: Map<Service, {readonly origin: string; readonly token: string}>
  readonly refused: Service[]
}

type OpenProfile = (file: ProfileFile, profile: string) => Promise<Session>

/**
 * Guides through a profile. Answers are stored after the last; an existing profile keeps unanswered settings. It becomes the one
 * in use unless a service refused its token. Throws Failure without a terminal.
 */
export async function initProfile(session: Session, profileName: string | undefined, open: OpenProfile): Promise<void> {
  if (!session.mayAsk) {
    throw wrongUsage('config init asks questions and needs a terminal', {
      why: whyUnasked(session.runtime.ask),
      try: 'set up a profile with config profile add and config login',
    })
  }
  const answers = await askAll(session, profileName, open).catch((error) => {
    throw nothingSaved(toFailure(error))
  })
  const {name} = answers
  await editProfileFile(session, (before) => withAnswers(before, answers))
  const stored = await openWithTokens(open, await openProfileFile(session.paths.config), answers)
  for (const [service, {origin, token}] of answers.tokens) await storeToken(stored, service, origin, token)
  if (answers.refused.length > 0) return presentRefused(stored, name, answers.refused)
  await editProfileFile(session, (before) => useProfile(before, name))
  await presentText(stored, `profile ${name} is set up and in use`)
}

/** The same, if the user ended the questions. */
function nothingSaved(failure: Failure): Failure {
  const {exit, code, message} = failure.facts
  if (exit !== 'interrupted' && code !== 'cancelled') return failure
  return new Failure({...failure.facts, message: `${message}; nothing was saved`, isNotice: true}, {cause: failure})
}

async function askAll(session: Session, profileName: string | undefined, open: OpenProfile): Promise<Answers> {
  const {ask} = session.runtime
  if (profileName !== undefined) checkOwnProfileName(profileName)
  say(session, 'Nothing is saved until you finish. To change one later: roomctl config set KEY VALUE')
  const file = await openProfileFile(session.paths.config)
  const isNew = profileName === undefined || profileNamed(file, profileName) === undefined
  const shared = isNew ? await askExport(session) : undefined
  const check = (text: string) => {
    checkOwnProfileName(text)
    if (shared && profileNamed(file, text)) throw wrongUsage(`profile ${text} already exists`)
  }
  const initial = shared?.name ?? 'default'
  const name = profileName ?? (await ask.text('Name of the profile:', {initial, check: passes(check)}))
  check(name)
  const answers: Answers = {name, shared: shared?.profile, values: {}, tokens: new Map(), refused: []}
  if (shared) return askTokens(shared.profile, {file, answers, open})
  const used: Service[] = []
  for (const service of services) {
    if (await askService(session, service, {file, answers, open, isNeeded: service === 'push' && used.length === 0})) {
      used.push(service)
    }
  }
  await askRest(session, answers, used)
  return answers
}

/** Offers the file of a colleague, which has the addresses, the settings and the routes. */
async function askExport(session: Session): Promise<ProfileExport | undefined> {
  const read = async (text: string) => (text.trim() === '' ? undefined : readExport(session, typedPath(session, text)))
  const check = (text: string) => read(text).then(() => true as const, reasonAgainst)
  const shared = await read(await session.runtime.ask.text('Profile file from a colleague (empty: none):', {check}))
  if (shared) showImported(session, importedChanges({}, shared.profile))
  return shared
}

interface OpenedAnswers {
  readonly file: ProfileFile
  readonly answers: Answers
  readonly open: OpenProfile
}

/** Asks for the token of each service that the profile has an address of. */
async function askTokens(profile: Profile, {file, answers, open}: OpenedAnswers): Promise<Answers> {
  for (const service of services) {
    const url = profile[`${service}.url`]
    if (url === undefined) continue
    const opened = await openWithTokens(open, withAnswers(file, answers), answers)
    const base = checkAddress(url, {allowHttp: profile.allowHttp === true})
    if (!(await askToken(opened, service, base, answers))) answers.tokens.delete(service)
  }
  return answers
}

interface ServiceQuestion extends OpenedAnswers {
  readonly isNeeded: boolean
}

/** Asks for the address of a service and its token; returns whether there is one. */
async function askService(session: Session, service: Service, question: ServiceQuestion): Promise<boolean> {
  const {answers, file, open, isNeeded} = question
  const {ask} = session.runtime
  const key = `${service}.url` as const
  const before = profileNamed(file, answers.name)
  const kept = before?.[key]
  const check = (text: string) => {
    if (text.trim() !== '') checkAddress(text.trim(), {allowHttp: before?.allowHttp === true})
    else if (isNeeded && kept === undefined) throw wrongUsage('give the address of one service at least')
  }
  const empty = kept === undefined ? 'none' : `keep ${kept}`
  for (;;) {
    const typed = (
      await ask.text(`Address of the ${service} service (empty: ${empty}):`, {check: passes(check)})
    ).trim()
    check(typed)
    const address = typed || kept
    if (address === undefined) return false
    answers.values[key] = address
    if (service === 'push' && answers.values.applicationId === undefined) {
      await askApplicationId(session, answers)
    }
    const opened = await openWithTokens(open, withAnswers(file, answers), answers)
    if (await askToken(opened, service, checkAddress(address, {allowHttp: before?.allowHttp === true}), answers))
      return true
  }
}

/** Asks for the token of a service until it is accepted or left for later; false to ask for the address again. */
async function askToken(session: Session, service: Service, base: URL, answers: Answers): Promise<boolean> {
  const question = `Token of the ${service} service on ${answers.name} (${base.host}), empty to log in later:`
  for (let isRefused = false; ; isRefused = true) {
    const typed = async () => {
      const token = await typedToken(session, question)
      return {token, probe: token === '' ? undefined : await probeToken(session, {service, base, token})}
    }
    const {hushed} = session.runtime.ask
    const {token, probe} = await (hushed ? hushed(typed) : typed())
    if (probe === undefined) {
      if (isRefused) answers.refused.push(service)
      return true
    }
    if (probe.state !== 'refused') {
      answers.tokens.set(service, {origin: base.origin, token})
      return keepToken(session, service, base, probe)
    }
    const {code, httpStatus} = probe.failure.facts
    say(session, `the ${service} service refused this token (${code ?? `HTTP ${httpStatus}`}); type another one`)
  }
}

/** Reports the check of a token, and asks whether to keep one that could not be checked. */
async function keepToken(session: Session, service: Service, base: URL, probe: TokenProbe): Promise<boolean> {
  const notChecked = `${service} token not checked`
  if ('words' in probe) {
    const {state, words: text} = probe
    say(session, state === 'accepted' ? `the ${service} service accepts the token: ${text}` : `${notChecked}: ${text}`)
    return true
  }
  say(session, `${notChecked}: ${probe.failure.message}`)
  return session.runtime.ask.confirm(`Keep the address ${base.host} and this token?`)
}

/** A line on stderr, wrapped between words on a terminal. */
function say({warn, view: {columns}}: Session, text: string): void {
  warn(columns === undefined ? text : wrap(text, columns).join('\n'))
}

/** A token that can be sent as one, or an empty text. */
async function typedToken({runtime, secrets, warn}: Session, question: string): Promise<string> {
  for (;;) {
    const token = (await runtime.ask.secret(question)).trim()
    if (token === '') return token
    secrets.add(token)
    const verdict = passes((text) => checkToken(text, 'this'))(token)
    if (verdict === true) return token
    warn(verdict)
  }
}

async function askRest(session: Session, answers: Answers, used: readonly Service[]): Promise<void> {
  const {ask} = session.runtime
  const {values} = answers
  if (values.applicationId === undefined) await askApplicationId(session, answers)
  if (used.includes('room')) {
    const requester = await askId(session, answers, 'Make changes as (a user id, host or creator):', 'host')
    values.requester = requester === 'host' ? '' : requester
  }
  values.protected = (await ask.confirm('Require its name for every change?')) ? 'true' : ''
}

async function askApplicationId(session: Session, answers: Answers): Promise<void> {
  answers.values.applicationId = await askId(session, answers, 'Application id (empty: none):')
}

/** Asks for an id. Questions a pasted token: ids are stored in the clear, and appear in addresses and logs. */
async function askId(session: Session, {tokens}: Answers, question: string, initial?: string): Promise<string> {
  const {ask} = session.runtime
  for (;;) {
    const typed = (await ask.text(question, initial === undefined ? {} : {initial})).trim()
    const isToken = [...tokens.values()].some(({token}) => token === typed) || looksLikeToken(typed)
    if (isToken) session.secrets.add(typed)
    if (!isToken || (await ask.confirm('That looks like a token. Use it as an id?'))) return typed
  }
}

/** The profile file with the answers; the profile in use stays the same. */
function withAnswers(file: ProfileFile, {name, shared, values}: Answers): ProfileFile {
  const begun = shared || !profileNamed(file, name) ? withProfile(file, name, shared ?? {}) : file
  return Object.entries(values).reduce(
    (changed, [key, value]) => (value.trim() === '' ? changed : setValue(changed, name, key, value.trim())),
    begun,
  )
}

/** Each new session learns the tokens typed before, to mask them. */
async function openWithTokens(open: OpenProfile, file: ProfileFile, {name, tokens}: Answers): Promise<Session> {
  const session = await open(file, name)
  for (const {token} of tokens.values()) session.secrets.add(token)
  return session
}

async function presentRefused(session: Session, name: string, refused: readonly Service[]): Promise<void> {
  await presentText(session, `profile ${name} is set up, but not in use: ${refused.join(' and ')} token refused`)
  const logins = refused.map((service) => `roomctl config login ${service} -p ${name}`)
  session.warn(`to finish: ${[...logins, `roomctl config profile use ${name}`].join(' && ')}`)
  session.endWith('unauthenticated')
}
