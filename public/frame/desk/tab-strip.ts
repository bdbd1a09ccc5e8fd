import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { Side, Tab } from '../../app/app.ts'
import { renderRightFrame } from '../../app/router/routes.ts'
import { type IconName, icon, kindIcon } from '../../ui/components/icon.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import type { Pane } from './desk-state.ts'
import type { TabMark } from './tab-marks.ts'

type StripOptions = {
  side: Side
  markOf: (tab: Tab) => TabMark | null
  /** Default, on the server: none. The strip is drawn again when the tabs start. */
  actions?: StripActions
}

export type StripActions = {
  focus(index: number): void
  close(index: number): void
  add(): void
  split(): void
  titleOf(tab: Tab): string
  /** What leads to the call that opened the tab. */
  originOf(tab: Tab): Child
}

/** The tabs of a side as links, so that they work before any script does, each with its state in words too. */
export function renderTabStrip(
  { tabs, current }: Pane,
  { side, markOf, actions }: StripOptions,
): HTMLElement {
  return el(
    'nav',
    { class: 'tabs', id: `tabs-${side}`, 'aria-label': side === 'left' ? 'Tabs' : 'Tabs of the right pane' },
    el(
      'ol',
      { class: 'tab-list' },
      tabs.map((tab, index) =>
        renderTab(tab, { index, side, current: index === current, mark: markOf(tab), actions }),
      ),
    ),
    actions && [
      button('plus', 'New tab (t)', () => actions.add()),
      side === 'left' && button('split', 'Toggle split view (\\)', () => actions.split()),
    ],
  )
}

type TabOptions = {
  index: number
  side: Side
  current: boolean
  mark: TabMark | null
  actions: StripActions | undefined
}

function renderTab(tab: Tab, { index, side, current, mark, actions }: TabOptions): HTMLElement {
  return el(
    'li',
    { class: 'tab', 'data-mark': mark ?? 'none', draggable: actions ? 'true' : null },
    el(
      'a',
      {
        class: 'tab-link',
        id: `tab-${side}-${index}`,
        href: tab.href,
        title: actions ? actions.titleOf(tab) : quoteShown(tab.title),
        'aria-current': current ? 'page' : null,
        onclick: (event: MouseEvent) => {
          if (!actions || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          actions.focus(index)
        },
        onauxclick: (event: MouseEvent) => {
          if (!actions || event.button !== 1) return
          event.preventDefault()
          actions.close(index)
        },
      },
      tabIcon(tab.kind),
      el('bdi', { class: 'tab-title' }, visible(tab.title)),
      mark && el('span', { class: 'tab-mark' }, el('span', { class: 'visually-hidden' }, marks[mark])),
    ),
    actions?.originOf(tab),
    actions &&
      el(
        'button',
        {
          class: 'tab-close',
          type: 'button',
          'aria-label': `Close ${quoteShown(tab.title)}`,
          onclick: () => actions.close(index),
        },
        icon('close'),
      ),
  )
}

const marks: Record<TabMark, string> = {
  unsaved: 'unsaved changes',
  saving: 'saving',
  error: 'not saved',
  reading: 'in use by the companion',
  draft: 'a draft is waiting',
  changed: 'changed since you last viewed it',
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
  today: 'today',
  settings: 'settings',
  spaces: 'grid',
}

export const tabIcon = (kind: string) => (views[kind] ? icon(views[kind]) : kindIcon(kind))

const button = (name: IconName, label: string, onclick: () => void) =>
  el(
    'button',
    { class: 'icon-button tab-act', type: 'button', title: label, 'aria-label': label, onclick },
    icon(name),
  )

/** The right pane: room for its tabs, and the frame that shows an address. */
export const renderRightPane = (href: string): HTMLElement =>
  el(
    'section',
    { class: 'pane pane-right' },
    renderTabStrip({ tabs: [], current: -1 }, { side: 'right', markOf: () => null }),
    renderRightFrame(href),
  )
