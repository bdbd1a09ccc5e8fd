import { expect, test } from 'vitest'
import type { CanvasCard, CanvasEdge } from '../../../lib/core/text/canvas.ts'
import { boardOf, colorOf, shapeOf } from '../../../public/features/canvas/geometry.ts'

const card = (id: string, x: number, y: number): CanvasCard => ({
  ...{ id, x, y, width: 100, height: 50, color: null, type: 'text', text: id },
})
const edge = (more: Partial<CanvasEdge> = {}): CanvasEdge => ({
  ...{ fromNode: 'a', toNode: 'b', fromSide: null, toSide: null, label: '', color: null },
  ...{ fromArrow: false, toArrow: true, ...more },
})

test('the board holds every card, also those left of and above zero', () => {
  expect(boardOf([card('a', -500, -20), card('b', 300, 80)])).toEqual({
    left: -548,
    top: -68,
    width: 996,
    height: 246,
  })
  expect(boardOf([])).toMatchObject({ width: 0, height: 0 })
  expect(boardOf([card('a', -1e12, 0), card('b', 1e12, 0)]).width).toBe(60_000)
})

test('an edge goes between the sides that face each other, or those it names', () => {
  const cards = new Map([card('a', 0, 0), card('b', 400, 0)].map((each) => [each.id, each]))
  const board = { left: 0, top: 0, width: 500, height: 50 }

  expect(shapeOf(edge(), cards, board)?.line).toMatch(/^M100 25C.* 400 25$/)
  expect(shapeOf(edge({ fromSide: 'top', toSide: 'bottom' }), cards, board)?.line).toMatch(
    /^M50 0C.* 450 50$/,
  )
  expect(shapeOf(edge(), cards, board)?.middle).toEqual({ x: 250, y: 25 })
  expect(shapeOf(edge({ fromArrow: true }), cards, board)?.arrows).toHaveLength(2)
  expect(shapeOf(edge({ toNode: 'gone' }), cards, board)).toBe(null)
})

test.each([
  ['1', 'pink'],
  ['4', 'moss'],
  ['7', null],
  ['#00ff00', 'moss'],
  ['#2244ee', 'blue'],
  ['#808080', 'gray'],
  ['url(x)', null],
])('a colour %s is shown as %s', (given, shown) => expect(colorOf(given)).toBe(shown))
