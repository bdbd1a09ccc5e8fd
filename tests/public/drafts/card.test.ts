import { describe, expect, test } from 'vitest'
import type { Card, CardField } from '../../../lib/contract/changes/card.ts'
import type { CardHunk } from '../../../lib/contract/changes/text-change.ts'
import {
  countParts,
  describeParts,
  type PartSelection,
  selectedParts,
} from '../../../public/drafts/card/draft/parts.ts'

const hunk = (index: number) => ({ index }) as CardHunk
const field = (name: string, hunks = 0) =>
  ({
    name,
    text: hunks > 0 ? { hunks: Array.from({ length: hunks }, (_, index) => hunk(index)) } : null,
  }) as CardField
const card = (...fields: CardField[]) =>
  ({ fields, operation: 'update', entity_type: 'page' }) as Pick<Card, 'fields' | 'operation' | 'entity_type'>
const part = (name: string, index: number | null, selected = true): PartSelection => ({
  field: name,
  hunk: index,
  selected,
})

describe('the parts that are chosen', () => {
  const lease = card(field('title'), field('body', 3))
  const all = [part('title', null), part('body', 0), part('body', 1), part('body', 2)]

  test('with every box ticked the whole draft is meant', () => {
    expect(selectedParts(lease, all)).toEqual({})
  })

  test('a field without its box is left out, a text goes by its hunks', () => {
    const selection = [part('title', null, false), part('body', 0), part('body', 1, false), part('body', 2)]

    expect(selectedParts(lease, selection)).toEqual({ fields: ['body'], hunks: { body: [0, 2] } })
  })

  test('a field that has no box is selected', () => {
    expect(selectedParts(card(field('title'), field('body')), [part('body', null, false)])).toEqual({
      fields: ['title'],
    })
  })

  test('with nothing ticked there is nothing to approve', () => {
    expect(
      selectedParts(
        lease,
        all.map((each) => ({ ...each, selected: false })),
      ),
    ).toBeNull()
  })

  test('are named, each with how much of it', () => {
    const shown = {
      title: 'Lease',
      operation: 'update',
      entity_type: 'page',
      fields: [
        { ...field('title'), label: 'Title' },
        { ...field('body', 3), label: 'Text' },
      ],
    } as Card

    expect(describeParts(shown, { fields: ['title', 'body'], hunks: { body: [1] } })).toBe(
      'title and 1 of 3 changes of text of “Lease”',
    )
    expect(describeParts(shown, { fields: ['title'] })).toBe('title of “Lease”')
    expect(describeParts(shown, {})).toBeNull()
  })

  test('are counted by hunks where a text changes, and not at all for a deletion', () => {
    expect(countParts(lease)).toBe(4)
    expect(countParts({ ...lease, operation: 'create' })).toBe(2)
    expect(countParts({ ...lease, operation: 'delete' })).toBe(0)
    expect(countParts({ ...lease, operation: 'create', entity_type: 'reply' })).toBe(0)
  })
})
