import { describe, expect, test } from 'vitest'
import type { Effect, Panel } from '../../../lib/contract/events/effects.ts'
import { dispatchEffect } from '../../../public/frame/desk/desk-effects.ts'
import { currentTab, type Desk, emptyDesk, openTab, splitTab } from '../../../public/frame/desk/desk-state.ts'

const space_id = '0190a1b2-0000-7000-8000-000000000001'
const spaces = [{ id: space_id, slug: 'skerry-light' }]
const page = (id: string): Panel => ({ space_id, kind: 'page', id, title: id })
const tasks: Panel = { space_id, view: 'tasks', q: null, title: 'Tasks' }
const home = openTab(emptyDesk, { href: '/s/skerry-light', title: 'Home', kind: 'home' })
const run = (desk: Desk, effect: Effect, mayMove = true) => dispatchEffect(desk, effect, { spaces, mayMove })
const shown = (desk: Desk | undefined) => ({
  left: desk && currentTab(desk.left)?.href,
  right: desk && currentTab(desk.right)?.href,
})

describe('openPanel', () => {
  test('two panels stand side by side', () => {
    const left = run(home, { type: 'openPanel', panel: page('lease'), side: 'left' })!
    const both = run(left.desk, { type: 'openPanel', panel: tasks, side: 'right' })!

    expect(shown(both.desk)).toEqual({ left: '/s/skerry-light/pages/lease', right: '/s/skerry-light/tasks' })
  })

  test('what is open already is brought forward, or moves to the side asked for', () => {
    const open = run(home, { type: 'openPanel', panel: page('lease'), side: 'here' })!

    const again = run(open.desk, { type: 'openPanel', panel: page('lease'), side: 'here' })!
    const moved = run(open.desk, { type: 'openPanel', panel: page('lease'), side: 'right' })!

    expect(again.desk.left.tabs).toHaveLength(2)
    expect(shown(moved.desk)).toEqual({ left: '/s/skerry-light', right: '/s/skerry-light/pages/lease' })
  })

  test.each<[Panel, string]>([
    [{ space_id, view: 'home', q: null, title: '' }, '/s/skerry-light'],
    [{ space_id, view: 'search', q: 'rent & oil', title: '' }, '/search?q=rent%20%26%20oil'],
    [{ space_id, view: 'inbox', q: null, title: '' }, '/inbox'],
    [{ space_id, view: 'source-docs', q: null, title: '' }, '/s/skerry-light/source-docs'],
    [{ space_id, kind: 'source_doc', id: 'x', title: '' }, '/s/skerry-light/source-docs/x'],
  ])('%j is at %s', (panel, href) => {
    expect(shown(run(home, { type: 'openPanel', panel, side: 'here' })?.desk).left).toBe(href)
  })
})

test('focusPanel and closePanel mean the tab that is there', () => {
  const open = run(home, { type: 'openPanel', panel: page('lease'), side: 'here' })!
  const back = run(open.desk, {
    type: 'focusPanel',
    panel: { space_id, view: 'home', q: null, title: 'Home' },
  })!
  const closed = run(back.desk, { type: 'closePanel', panel: page('lease') })!

  expect(shown(back.desk).left).toBe('/s/skerry-light')
  expect(closed.desk.left.tabs).toHaveLength(1)
  expect(run(closed.desk, { type: 'closePanel', panel: page('lease') })?.desk).toBe(closed.desk)
})

test('highlight opens the panel first, then marks the words in it', () => {
  const marked = run(home, { type: 'highlight', panel: page('lease'), text: 'The rent is 430 crowns.' })!

  expect(shown(marked.desk).left).toBe('/s/skerry-light/pages/lease')
  expect(marked.content).toEqual({ href: '/s/skerry-light/pages/lease', mark: 'The rent is 430 crowns.' })
})

test('updateContent tells what is open of a newer version, and moves nothing, also where nothing may move', () => {
  const open = splitTab(run(home, { type: 'openPanel', panel: page('lease'), side: 'here' })!.desk)
  const newer = { space_id, kind: 'page', id: 'lease', version: 2 }

  for (const mayMove of [true, false]) {
    const told = run(open, { type: 'updateContent', panel: page('lease'), version: 2 }, mayMove)
    expect(told).toMatchObject({ desk: open, content: newer, link: null })
  }
  expect(run(open, { type: 'updateContent', panel: page('lamp'), version: 2 })?.content).toBeNull()
  expect(run(open, { type: 'updateContent', panel: tasks, version: 2 })?.content).toBeNull()
})

test('notify is a sentence, confirm arranges nothing: its card stands in the conversation', () => {
  const notice = { level: 'success', message: 'Added.' } as const
  expect(run(home, { type: 'notify', ...notice })).toMatchObject({ notice, desk: home })
  expect(run(home, { type: 'confirm', pending_change_id: 'x', summary: 's' })).toEqual({
    desk: home,
    content: null,
    notice: null,
    link: null,
  })
})

describe('what is left out', () => {
  test.each<Panel>([
    { space_id: '0190a1b2-0000-7000-8000-00000000000f', kind: 'page', id: 'x', title: 'Elsewhere' },
    { space_id, kind: 'javascript:', id: 'alert(1)', title: 'Odd' },
  ])('a Space or a kind that is not here: %j', (panel) => {
    expect(run(home, { type: 'openPanel', panel, side: 'here' })).toBeNull()
  })

  test('an effect that this version does not know', () => {
    expect(run(home, { type: 'explode' } as unknown as Effect)).toBeNull()
  })

  test('every move, where the owner moves the view alone: then it is a link', () => {
    const opened = run(home, { type: 'openPanel', panel: page('lease'), side: 'right' }, false)!
    const marked = run(home, { type: 'highlight', panel: page('lease'), text: 'rent' }, false)!
    const closed = run(home, { type: 'closePanel', panel: page('lease') }, false)!

    expect(opened).toMatchObject({
      desk: home,
      link: { href: '/s/skerry-light/pages/lease', title: 'lease' },
    })
    expect(marked.link?.href).toBe('/s/skerry-light/pages/lease?cite=rent')
    expect(closed).toMatchObject({ desk: home, link: null })
  })
})
