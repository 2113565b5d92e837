import type {ListView} from '../format/columns.js'

/** What a room allows (product §1, `room can`). */
export interface Ability {
  /** The operation's id. */
  readonly action: string
  readonly allowed: 'yes' | 'no' | 'unclear'
  readonly why: string
  /** Whom it would be done as; null where no requester is named. */
  readonly as: string | null
  /** The code of the refusal, where the document names one. */
  readonly code: string | null
  readonly source: string | null
}

const colours = {yes: 'green', no: 'red', unclear: 'yellow'} as const

export const abilityList: ListView<Ability> = {
  id: ({action}) => action,
  empty: 'the document names no operation for it',
  columns: [
    {name: 'action', value: ({action}) => action, id: true},
    {name: 'allowed', value: ({allowed}) => allowed, paint: (text, {allowed}, style) => style[colours[allowed]](text)},
    {name: 'as', value: (ability) => ability.as},
    {name: 'code', value: ({code}) => code},
    {name: 'why', value: ({why}) => why, flex: true},
    {name: 'source', value: ({source}) => source, extra: true},
  ],
}
