import { expect, test } from 'vitest'
import { readCanvas } from '../../../lib/core/text/canvas.ts'

const place = { x: 0, y: 10, width: 100, height: 50 }

test('cards and edges are read, and what is neither is left out', () => {
  const canvas = readCanvas(
    JSON.stringify({
      nodes: [
        { id: 'a', type: 'text', text: 'Oil', ...place, color: '4' },
        { id: 'b', type: 'file', file: 'Lamp.md', subpath: '#Care', ...place },
        { id: 'c', type: 'hologram', ...place },
        { id: 'd', type: 'text', text: 'no place' },
        { id: 'e', type: 'group', ...place, width: '100' },
        null,
      ],
      edges: [
        { id: '1', fromNode: 'a', toNode: 'b', fromSide: 'right', toSide: 'inside', label: 'burns' },
        { id: '2', fromNode: 'a' },
        { id: '3', fromNode: 'b', toNode: 'a', fromEnd: 'arrow', toEnd: 'none' },
      ],
    }),
  )

  expect(canvas?.cards).toEqual([
    { id: 'a', type: 'text', text: 'Oil', ...place, color: '4' },
    { id: 'b', type: 'file', file: 'Lamp.md', subpath: '#Care', ...place, color: null },
  ])
  expect(canvas?.edges).toMatchObject([
    { fromSide: 'right', toSide: null, label: 'burns', fromArrow: false, toArrow: true },
    { fromArrow: true, toArrow: false },
  ])
})

test('an empty file is an empty canvas; what is no canvas is none', () => {
  expect(readCanvas(' ')).toEqual({ cards: [], edges: [] })
  expect(readCanvas('{}')).toEqual({ cards: [], edges: [] })
  for (const text of ['[]', '{', 'null', '{"nodes":{}}', '{"edges":1}', '"x"', '['.repeat(5000)])
    expect(readCanvas(text)).toBe(null)
})
