import type {CardView} from '../format/columns.js'

/** The two headers as one request brought them; null where it did not. */
export interface CarriedHeaders {
  readonly allow: string | null
  readonly link: string | null
}

/** What a container allows, and which request said so. */
export interface ContainerMethods {
  readonly container: string
  readonly allow: readonly string[] | null
  /** The request methods whose answers carried Allow. */
  readonly allow_from: readonly string[]
  readonly link: string | null
  readonly link_from: readonly string[]
  /** Null where the request failed. */
  readonly options: CarriedHeaders | null
  readonly head: CarriedHeaders | null
}

/** Allow and Link from whichever carries them: two texts of the document give them to opposite requests (product §9). */
export const methodsCard: CardView<ContainerMethods> = {
  title: ({container}) => container,
  titleColumn: 'container',
  id: ({container}) => container,
  columns: [
    {name: 'container', value: ({container}) => container, id: true},
    {name: 'allow', value: ({allow}) => allow, show: ({allow, allow_from: from}) => said(allow?.join(', '), from)},
    {name: 'link', value: ({link}) => link, show: ({link, link_from: from}) => said(link ?? undefined, from)},
    {name: 'allow_from', value: ({allow_from: from}) => from, extra: true},
    {name: 'link_from', value: ({link_from: from}) => from, extra: true},
  ],
}

function said(what: string | undefined, from: readonly string[]): string {
  return what === undefined ? '(neither answer carries it)' : `${what}  (from ${from.join(' and ')})`
}
