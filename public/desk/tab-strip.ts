import { type IconName, icon, kindIcon } from '../components/icon.ts'
import { el } from '../dom.ts'
import type { Pane, Side, Tab } from './desk-state.ts'

/** What is worth knowing of a tab at a glance. */
export type TabMark = 'unsaved' | 'saving' | 'error' | 'reading' | 'changed'

export type StripOptions = {
  side: Side
  markOf: (tab: Tab) => TabMark | null
  /** Left out on the server: what is painted there is taken over a moment later. */
  acts?: StripActs
}

export type StripActs = {
  focus(index: number): void
  close(index: number): void
  add(): void
  split(): void
}

/** The tabs of a side as links, so that they work before any script does, each with its state in words too. */
export function renderTabStrip({ tabs, current }: Pane, { side, markOf, acts }: StripOptions): HTMLElement {
  return el(
    'nav',
    { class: 'tabs', id: `tabs-${side}`, 'aria-label': side === 'left' ? 'Tabs' : 'Tabs on the right' },
    el(
      'ol',
      { class: 'tab-list' },
      tabs.map((tab, index) =>
        renderTab(tab, { index, side, current: index === current, mark: markOf(tab), acts }),
      ),
    ),
    acts && [
      button('plus', 'New tab (t)', () => acts.add()),
      side === 'left' && button('sidebar', 'Show this tab beside (\\)', () => acts.split()),
    ],
  )
}

type TabOptions = {
  index: number
  side: Side
  current: boolean
  mark: TabMark | null
  acts: StripActs | undefined
}

function renderTab(tab: Tab, { index, side, current, mark, acts }: TabOptions): HTMLElement {
  return el(
    'li',
    { class: 'tab', 'data-mark': mark ?? 'none', draggable: acts ? 'true' : null },
    el(
      'a',
      {
        class: 'tab-link',
        id: `tab-${side}-${index}`,
        href: tab.href,
        title: tab.title,
        'aria-current': current ? 'page' : null,
        onclick: (event: MouseEvent) => {
          if (!acts || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          acts.focus(index)
        },
        onauxclick: (event: MouseEvent) => {
          if (!acts || event.button !== 1) return
          event.preventDefault()
          acts.close(index)
        },
      },
      tabIcon(tab.kind),
      el('span', { class: 'tab-title' }, tab.title),
      mark && el('span', { class: 'tab-mark' }, el('span', { class: 'visually-hidden' }, marks[mark])),
    ),
    acts &&
      el(
        'button',
        {
          class: 'tab-close',
          type: 'button',
          'aria-label': `Close ${tab.title}`,
          onclick: () => acts.close(index),
        },
        icon('close'),
      ),
  )
}

const marks: Record<TabMark, string> = {
  unsaved: 'has unsaved changes',
  saving: 'is being saved',
  error: 'could not be saved',
  reading: 'the companion is reading it',
  changed: 'changed by an approved draft since you looked',
}

const views: Record<string, IconName> = {
  home: 'home',
  pages: 'page',
  tasks: 'task',
  projects: 'project',
  refs: 'link',
  resources: 'resource',
  search: 'search',
  activity: 'activity',
  inbox: 'inbox',
  trash: 'trash',
  settings: 'settings',
  spaces: 'grid',
}

const tabIcon = (kind: string) => (views[kind] ? icon(views[kind]) : kindIcon(kind))

const button = (name: IconName, label: string, onclick: () => void) =>
  el(
    'button',
    { class: 'icon-button tab-act', type: 'button', title: label, 'aria-label': label, onclick },
    icon(name),
  )
