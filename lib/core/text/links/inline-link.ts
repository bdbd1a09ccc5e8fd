import type { Range } from './read-blocks.ts'

export type InlineLink = Range & {
  kind: 'wiki' | 'inline' | 'reference' | 'definition' | 'attribute' | 'block'
  embed: boolean
  label: string
  /** As written, between its marks; of a reference the name of its definition. */
  destination: string
  /** Where the destination stands. */
  at: number
}
