import { expect, test } from 'vitest'
import { OpenDesk } from '../../../lib/contract/companion/open-desk.ts'
import { toOpenDesk } from '../../../public/frame/desk/desk.ts'
import { emptyDesk, focusTab, openTab } from '../../../public/frame/desk/desk-state.ts'

const lamp = '0190a1b2-0000-7000-8000-000000000001'
const at = '/s/skerry-light'
const tab = (href: string, kind: string) => ({ href, kind, title: 'Any' })
const options = { slug: 'skerry-light', without: null }
const all = [
  tab(at, 'home'),
  tab(`${at}/pages/${lamp}?line=3`, 'page'),
  tab('/search?q=rent%20%26%20oil&kind=page', 'search'),
  tab('/settings/appearance', 'settings'),
  tab('/s/harbour-office/tasks', 'tasks'),
  tab('/s/skerry-light-2', 'home'),
]

test('names things by their id and views by their name, and leaves out what is of no Space or of another', () => {
  const left = all.reduce((desk, each) => openTab(desk, each), emptyDesk)
  const desk = openTab(focusTab(left, 'left', 1), tab(`${at}/tasks`, 'tasks'), 'right')

  const told = toOpenDesk(desk, options)

  expect(told).toEqual({
    active: 'right',
    tabs: [
      { side: 'left', shown: false, view: 'home', q: null },
      { side: 'left', shown: true, kind: 'page', id: lamp },
      { side: 'left', shown: false, view: 'search', q: 'rent & oil' },
      { side: 'right', shown: true, view: 'tasks', q: null },
    ],
  })
  expect(OpenDesk.safeParse(told).success).toBe(true)
})

test('what is not to be told is not', () => {
  const desk = openTab(emptyDesk, tab(`${at}/pages/${lamp}`, 'page'))

  expect(toOpenDesk(desk, { ...options, without: lamp }).tabs).toEqual([])
})
