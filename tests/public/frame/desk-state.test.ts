import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tab } from '../../../public/app/app.ts'
import {
  closeTab,
  currentTab,
  type Desk,
  emptyDesk,
  findTab,
  focusTab,
  isSplit,
  moveTab,
  navigateTab,
  openTab,
  parseDesk,
  placeTab,
  reopenTab,
  splitTab,
  stepTab,
} from '../../../public/frame/desk/desk-state.ts'
import { runs } from '../../helpers/runs.ts'

const tab = (name: string): Tab => ({ href: `/s/skerry-light/pages/${name}`, title: name, kind: 'page' })
const names = ({ tabs }: Desk['left']) => tabs.map(({ title }) => title)
const deskOf = (...titles: string[]) => titles.reduce((desk, name) => openTab(desk, tab(name)), emptyDesk)

test('a tab keeps the call that opened it while it shows the same, and what is no call is not restored', () => {
  const origin = { turn: 't', call: 'c', thread: 'Lights' }
  const opened = openTab(deskOf('lease'), { ...tab('lamp'), origin })

  const titled = navigateTab(opened, { ...tab('lamp'), title: 'The lamp' }, 'left')
  const left = navigateTab(titled, tab('log'), 'left')
  const restored = parseDesk(JSON.stringify(titled))
  const forged = parseDesk(JSON.stringify(titled).replace('"t"', '7'))

  expect(currentTab(titled.left)).toEqual({ ...tab('lamp'), title: 'The lamp', origin })
  expect(currentTab(left.left)?.origin).toBeUndefined()
  expect(currentTab(restored.left)?.origin).toEqual(origin)
  expect(currentTab(forged.left)).not.toHaveProperty('origin')
})

describe('tabs', () => {
  test('open behind the one that is shown, and once', () => {
    const desk = focusTab(deskOf('lamp', 'lease'), 'left', 0)

    const opened = openTab(openTab(desk, tab('log')), tab('lease'))

    expect(names(opened.left)).toEqual(['lamp', 'log', 'lease'])
    expect(currentTab(opened.left)?.title).toBe('lease')
  })

  test('a click goes on in the tab that is shown, and takes the place of its twin', () => {
    const desk = focusTab(deskOf('lamp', 'lease', 'log'), 'left', 0)

    const gone = navigateTab(desk, tab('log'), 'left')

    expect(names(gone.left)).toEqual(['log', 'lease'])
    expect(currentTab(gone.left)?.title).toBe('log')
  })

  test('closing shows the one behind, the last one stays, and the last closed comes back', () => {
    const desk = focusTab(deskOf('lamp', 'lease', 'log'), 'left', 1)

    const one = closeTab(closeTab(desk, 'left', 1), 'left', 1)

    expect(names(one.left)).toEqual(['lamp'])
    expect(closeTab(one, 'left', 0)).toBe(one)
    expect(names(reopenTab(one).left)).toEqual(['lamp', 'log'])
    expect(names(reopenTab(reopenTab(one)).left)).toEqual(['lamp', 'log', 'lease'])
  })

  test('are stepped through round the end, and moved', () => {
    const desk = deskOf('lamp', 'lease', 'log')

    expect(currentTab(stepTab(desk, 1).left)?.title).toBe('lamp')
    expect(names(moveTab(desk, -1).left)).toEqual(['lamp', 'log', 'lease'])
    expect(moveTab(desk, 1)).toBe(desk)
    expect(
      currentTab(placeTab(desk, { side: 'left', index: 0 }, { side: 'left', index: 2 }).left)?.title,
    ).toBe('log')
  })
})

describe('two sides', () => {
  test('one tab alone is shown on both; one of several moves over', () => {
    const alone = splitTab(deskOf('lamp'))
    const moved = splitTab(deskOf('lamp', 'lease'))

    expect([names(alone.left), names(alone.right)]).toEqual([['lamp'], ['lamp']])
    expect([names(moved.left), names(moved.right)]).toEqual([['lamp'], ['lease']])
    expect(moved.active).toBe('right')
    expect(findTab(alone, tab('lamp').href)?.side).toBe('right')
  })

  test('a tab is put among those of the other side, and shown there', () => {
    const split = splitTab(deskOf('lamp', 'lease', 'log'))

    const over = placeTab(split, { side: 'left', index: 0 }, { side: 'right', index: 0 })
    const behind = placeTab(split, { side: 'left', index: 0 }, { side: 'right', index: 9 })
    const back = placeTab(over, { side: 'right', index: 1 }, { side: 'left', index: 0 })

    expect([names(over.left), names(over.right)]).toEqual([['lease'], ['lamp', 'log']])
    expect([over.active, currentTab(over.right)?.title]).toEqual(['right', 'lamp'])
    expect(names(behind.right)).toEqual(['log', 'lamp'])
    expect([names(back.left), names(back.right)]).toEqual([['log', 'lease'], ['lamp']])
    expect(over.closed).toEqual([])
  })

  test('where the last tab of a side is put on the other one, there is one side', () => {
    const split = splitTab(deskOf('lamp', 'lease'))

    const right = placeTab(split, { side: 'left', index: 0 }, { side: 'right', index: 1 })
    const left = placeTab(split, { side: 'right', index: 0 }, { side: 'left', index: 0 })

    expect([names(right.left), isSplit(right), right.active]).toEqual([['lease', 'lamp'], false, 'left'])
    expect([names(left.left), isSplit(left), left.active]).toEqual([['lease', 'lamp'], false, 'left'])
  })

  test('what is left alone takes the whole area', () => {
    const split = splitTab(deskOf('lamp', 'lease'))

    const right = closeTab(split, 'left', 0)
    const left = closeTab(split, 'right', 0)

    expect([names(right.left), isSplit(right), right.active]).toEqual([['lease'], false, 'left'])
    expect([names(left.left), isSplit(left), left.active]).toEqual([['lamp'], false, 'left'])
  })
})

describe('what is stored', () => {
  test('comes back as it was', () => {
    const desk = splitTab(deskOf('lamp', 'lease', 'log'))

    expect(parseDesk(JSON.stringify(desk))).toEqual({ ...desk, closed: [] })
  })

  test.each([
    null,
    '',
    '{',
    '[]',
    '{"left":3}',
    '{"left":{"tabs":[{"href":"//evil.example","title":"x","kind":"page"}],"current":0}}',
    '{"left":{"tabs":[{"href":"javascript:alert(1)","title":"x","kind":"page"}],"current":0}}',
  ])('is empty for what is no desk: %s', (text) => {
    expect(parseDesk(text)).toEqual(emptyDesk)
  })
})

const steps: ((desk: Desk, n: number) => Desk)[] = [
  (desk, n) => openTab(desk, tab(`t${n}`)),
  (desk, n) => navigateTab(desk, tab(`t${n}`), desk.active),
  (desk, n) => closeTab(desk, 'left', n % 4),
  (desk, n) => closeTab(desk, 'right', n % 4),
  (desk) => reopenTab(desk),
  (desk) => splitTab(desk),
  (desk) => stepTab(desk, 1),
  (desk) => moveTab(desk, -1),
  (desk, n) => focusTab(desk, 'right', n % 3),
  (desk, n) => placeTab(desk, { side: 'left', index: n % 3 }, { side: 'right', index: n % 5 }),
  (desk, n) => placeTab(desk, { side: 'right', index: n % 3 }, { side: 'left', index: n % 5 }),
]

test('whatever is done, each side shows one of its tabs, none twice, and the active side is there', () => {
  const step = fc.tuple(fc.nat(steps.length - 1), fc.nat(30))

  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (taken) => {
      const desk = taken.reduce((now, [kind, n]) => steps[kind]!(now, n), deskOf('lamp'))

      for (const pane of [desk.left, desk.right]) {
        const hrefs = pane.tabs.map(({ href }) => href)
        expect(new Set(hrefs).size).toBe(hrefs.length)
        expect(pane.tabs.length === 0 ? pane.current === -1 : currentTab(pane) !== null).toBe(true)
        expect(pane.tabs.length).toBeLessThanOrEqual(20)
      }
      expect(desk.left.tabs.length).toBeGreaterThan(0)
      expect(currentTab(desk[desk.active])).not.toBeNull()
    }),
    { numRuns: runs(2000) },
  )
})
