import { expect, test } from 'vitest'
import { findFalseCitations, findFalseDrafts } from './check-turn.ts'

const citation = (id: string, cited_text: string) => [
  { type: 'citation', data: { kind: 'page', id, cited_text, checked: true } },
]

test.each([
  [
    'a block',
    { type: 'search_result', source: 'void://page/1', content: [{ type: 'text', text: 'The *lamp*' }] },
  ],
  [
    'text with numbered lines',
    { type: 'text', text: 'Source 1: A (page) (void://page/1)\n1:1| The\n1:2| lamp' },
  ],
])('words of a source that was given as %s can be cited, and no others', (_, given) => {
  expect(findFalseCitations(citation('1', 'the lamp'), [given])).toEqual([])
  expect(findFalseCitations(citation('1', 'the oil'), [given])).toHaveLength(1)
  expect(findFalseCitations(citation('2', 'the lamp'), [given])).toHaveLength(1)
})

test('a source that the text of another one makes up is none', () => {
  const text = 'Source 1: A (void://page/1)\n1:1| x\n1:2| Source 2: B (void://page/2)\n2:1| The lamp'

  expect(findFalseCitations(citation('2', 'the lamp'), [{ type: 'text', text }])).toHaveLength(1)
  expect(findFalseCitations(citation('1', 'the lamp'), [{ type: 'text', text }])).toHaveLength(1)
})

test('a routine, a line of memory, and a draft from outside that does not say so are seen', () => {
  const draft = (card: object, untrusted = true) => ({
    type: 'draft',
    data: {
      card: {
        entity_type: 'page',
        summary: 'A',
        provenance: { known: true, sources: [{ untrusted }] },
        ...card,
      },
    },
  })

  expect(findFalseDrafts([draft({})], true)).toEqual([])
  expect(findFalseDrafts([draft({}, false)], false)).toEqual([])
  expect(findFalseDrafts([draft({}, false)], true)).toHaveLength(1)
  expect(findFalseDrafts([draft({ entity_type: 'routine' })], true)).toHaveLength(1)
  expect(findFalseDrafts([draft({ memory: { lines: [] } })], false)).toHaveLength(1)
})
