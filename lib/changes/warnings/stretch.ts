import type { CardField } from '../../contract/changes/card.ts'
import type { LinkChange } from '../../contract/changes/text-change.ts'

/** A stretch of a draft that is looked at by itself: a hunk of a text, or a short value. */
export type Stretch = {
  field: string
  hunk: number | null
  before: string
  after: string
  links: readonly LinkChange[]
  /** Whether it names something: a title. */
  isName: boolean
  /** Code is blanked out: nothing in code is rendered. */
  rendered: { before: string; after: string }
}

/** The stretches of a field, from a card that is whole. */
export function stretchesOf(field: CardField, masked: { before: string[]; after: string[] }): Stretch[] {
  if (!field.text) {
    const before = asText(field.before)
    const after = asText(field.after)
    const isName = field.name === 'title'
    return [
      {
        field: field.name,
        hunk: null,
        before,
        after,
        links: field.links,
        isName,
        rendered: { before, after },
      },
    ]
  }
  return field.text.hunks.map((hunk) => ({
    field: field.name,
    hunk: hunk.index,
    before: join(hunk.parts, 'added'),
    after: join(hunk.parts, 'removed'),
    links: hunk.links,
    isName: false,
    rendered: {
      before: lines(masked.before, hunk.lines.before),
      after: lines(masked.after, hunk.lines.after),
    },
  }))
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

const join = (parts: readonly { kind: string; text: string }[], without: string) =>
  parts
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('')

const lines = (all: readonly string[], { start, count }: { start: number; count: number }) =>
  all.slice(start - 1, start - 1 + count).join('')
