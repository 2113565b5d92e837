export const progressKinds = ['auto', 'bar', 'line', 'json', 'none'] as const

export type ProgressKind = (typeof progressKinds)[number]
