import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeBeside } from '../../../public/page/blame/show-blame.ts'

const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const size = { width: 400, height: 300 }
const text = box(320, 100, 650, 2000)

test('a dialog stands right of the text, at the height of the passage', () => {
  const at = { passage: box(320, 200, 300, 24), text }

  expect(placeBeside(at, size, { width: 1440, height: 900 })).toEqual({ left: 982, top: 200 })
})

test('left of it, or below or above the passage, where there is no room at the right', () => {
  const wide = { passage: box(700, 200, 300, 24), text: box(700, 100, 650, 2000) }
  const narrow = (top: number) => ({ passage: box(60, top, 300, 24), text: box(60, 0, 650, 2000) })

  expect(placeBeside(wide, size, { width: 1440, height: 900 })).toEqual({ left: 288, top: 200 })
  expect(placeBeside(narrow(200), size, { width: 800, height: 900 })).toEqual({ left: 60, top: 236 })
  expect(placeBeside(narrow(700), size, { width: 800, height: 900 })).toEqual({ left: 60, top: 388 })
})

test('it is within the window, and covers a passage only where there is room nowhere', () => {
  const place = fc.record({
    left: fc.integer({ min: 0, max: 600 }),
    width: fc.integer({ min: 50, max: 800 }),
    top: fc.integer({ min: -500, max: 900 }),
    height: fc.integer({ min: 10, max: 1500 }),
    screen: fc.record({
      width: fc.integer({ min: 700, max: 2000 }),
      height: fc.integer({ min: 500, max: 1400 }),
    }),
  })
  fc.assert(
    fc.property(place, ({ left, width, top, height, screen }) => {
      const passage = box(left, top, width, height)
      const at = placeBeside({ passage, text: passage }, size, screen)
      const covers =
        at.left < passage.right &&
        at.left + size.width > passage.left &&
        at.top < passage.bottom &&
        at.top + size.height > passage.top
      const hasRoom =
        passage.right + 12 + size.width + 8 <= screen.width ||
        passage.left - 12 - size.width >= 8 ||
        (passage.bottom + 12 >= 8 && passage.bottom + 12 + size.height + 8 <= screen.height) ||
        (passage.top - 12 - size.height >= 8 && passage.top - 12 <= screen.height - 8)

      expect(at.left).toBeGreaterThanOrEqual(8)
      expect(at.left + size.width).toBeLessThanOrEqual(screen.width - 8)
      expect(at.top).toBeGreaterThanOrEqual(8)
      expect(at.top + size.height).toBeLessThanOrEqual(screen.height - 8)
      if (hasRoom) expect(covers).toBe(false)
    }),
  )
})
