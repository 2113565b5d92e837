/** Why a file is not a plan that can be carried out; the message is a clause that follows the file's name. */
export class PlanProblem extends Error {
  override readonly name = 'PlanProblem'
}

/** The members of one object of a plan, taken one by one. Each raises a PlanProblem for a member of another form. */
export class Parts {
  readonly #members: ReadonlyMap<string, unknown>
  readonly #place: string
  readonly #taken = new Set<string>()

  /** `place`: where it stands in the plan, to begin a member's name with. */
  constructor(value: unknown, place: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new PlanProblem(`is damaged: ${place === '' ? 'it' : place} is no object`)
    }
    this.#members = new Map(Object.entries(value))
    this.#place = place
  }

  /** Not empty. */
  word(name: string): string {
    const value = this.#take(name)
    if (typeof value === 'string' && value.trim() !== '') return value
    throw this.#misfit(name, 'no text')
  }

  words(name: string): string[] {
    const value = this.#take(name)
    const all = Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one.trim() !== '') : []
    if (Array.isArray(value) && all.length === value.length && all.length > 0) return all
    throw this.#misfit(name, 'no list of texts')
  }

  textOrNull(name: string): string | null {
    const value = this.#take(name)
    if (typeof value === 'string' || value === null) return value
    throw this.#misfit(name, 'neither a text nor null')
  }

  countOrNull(name: string): number | null {
    const value = this.#take(name)
    if (value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) return value
    throw this.#misfit(name, 'neither a count nor null')
  }

  nothing(name: string): null {
    if (this.#take(name) === null) return null
    throw this.#misfit(name, 'not null')
  }

  oneOf<const Word extends string>(name: string, words: readonly Word[]): Word {
    const value = this.#take(name)
    const found = words.find((word) => word === value)
    if (found !== undefined) return found
    throw this.#misfit(name, `none of ${words.join(', ')}`)
  }

  /** RFC 3339, UTC. */
  time(name: string): string {
    const value = this.word(name)
    if (/^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/u.test(value) && !Number.isNaN(Date.parse(value))) return value
    throw this.#misfit(name, 'no time')
  }

  part(name: string): Parts {
    return new Parts(this.#take(name), this.#named(name))
  }

  parts(name: string): Parts[] {
    const value = this.#take(name)
    if (!Array.isArray(value)) throw this.#misfit(name, 'no list')
    return value.map((one, at) => new Parts(one, `${this.#named(name)}[${at}]`))
  }

  /** To be asked last: what is not known may mean something to whoever wrote it. */
  nothingElse(): void {
    const [other] = [...this.#members.keys()].filter((name) => !this.#taken.has(name))
    if (other !== undefined)
      throw this.problem(`has a member that plans do not have: ${this.#named(other.slice(0, 60))}`)
  }

  problem(words: string): PlanProblem {
    return new PlanProblem(words)
  }

  #take(name: string): unknown {
    this.#taken.add(name)
    return this.#members.get(name)
  }

  #named(name: string): string {
    return this.#place === '' ? name : `${this.#place}.${name}`
  }

  #misfit(name: string, is: string): PlanProblem {
    return new PlanProblem(`is damaged: ${this.#named(name)} is ${this.#members.has(name) ? is : 'missing'}`)
  }
}

/** The members of a plan of this version. Raises a PlanProblem for a text that is no plan, or one of another version. */
export function read(text: string): Parts {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Reflect.get(value, 'kind') !== 'roomctl-plan') {
    throw new PlanProblem('is not a plan: a file that --plan-out wrote says so under kind')
  }
  const version: unknown = Reflect.get(value, 'version')
  if (version !== 1) {
    throw new PlanProblem(
      `is a plan of version ${typeof version === 'number' ? version : '?'}, and this roomctl reads 1`,
    )
  }
  const {kind: _, version: __, ...rest} = value as Record<string, unknown>
  return new Parts(rest, '')
}

/** Without the parser's own error, which would quote the file. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PlanProblem('is not a plan: it is no JSON, or breaks off')
  }
}
