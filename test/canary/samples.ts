/** As much of a shape as is looked at; zod keeps it for its own tools, too. */
interface Shape {
  readonly _zod: {readonly def: Definition}
}

interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Shape>>
  readonly element?: Shape
  readonly innerType?: Shape
  readonly in?: Shape
  readonly options?: readonly Shape[]
  readonly entries?: Readonly<Record<string, string>>
  readonly values?: readonly unknown[]
}

/** The texts of a sample, by the name of the member. */
export type Texts = (name: string) => string

/** A value of a shape in which every member is there, and every text says what `texts` gives for its name. */
export function sampleOf(shape: unknown, texts: Texts): unknown {
  // Every schema of zod has its definition under this name (https://zod.dev/packages/core).
  return sample(shape as Shape, texts, '')
}

function sample({_zod: {def}}: Shape, texts: Texts, name: string): unknown {
  const inner = def.innerType ?? def.in ?? def.options?.[0]
  if (inner) return sample(inner, texts, name)
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([member, value]) => [member, sample(value, texts, member)]),
      )
    case 'array':
      return def.element ? [sample(def.element, texts, name)] : []
    case 'enum':
      return Object.values(def.entries ?? {})[0]
    case 'literal':
      return def.values?.[0]
    case 'number':
      return 3
    case 'boolean':
      return true
    default:
      return texts(name)
  }
}
