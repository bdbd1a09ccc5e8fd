import { createPage } from '../app/actions/create-page.ts'
import type { AppContext } from '../app/app.ts'
import { rightAddress } from '../app/router/routes.ts'
import type { OpenView } from '../app/view.ts'
import { renderRail } from '../rail/rail.ts'
import type { RailContext } from '../rail/state/conversation-part.ts'
import { pageUrl } from '../ui/address.ts'
import { type IconName, icon } from '../ui/components/icon.ts'
import { type Child, el } from '../ui/dom.ts'
import { isPane } from './desk/pane-link.ts'
import { renderRightPane, renderTabStrip } from './desk/tab-strip.ts'
import { renderNav } from './nav.ts'
import { inboxCount, navLink } from './nav-link.ts'

export type Content = {
  layout: OpenView['layout']
  nodes: Child
  /** The address of the right pane; `null`: the area is not split. */
  right: string | null
}

/** The whole page: navigation, content, companion, and the bar that replaces them on a phone. */
export function renderFrame(context: RailContext, content: Content): HTMLElement {
  return el(
    'div',
    { class: 'frame' },
    el('a', { class: 'skip', href: '#content', onclick: skip }, 'Skip to content'),
    el('div', { class: 'nav-place' }, renderNav(context.app, context.signal)),
    renderDesk(context, content),
    el('div', { class: 'rail-place' }, renderRail(context)),
    bottomBar(context),
    connectionNotice(context),
  )
}

/** Without another address, whose view would take the focus once it is loaded. */
function skip(event: MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#content')?.focus()
}

/** The content area: the tab that is shown, and the right pane where the address names one. */
function renderDesk({ app }: RailContext, content: Content): HTMLElement {
  const { here } = app.state.get()
  const { right } = content
  const strip = renderTabStrip({ tabs: [here], current: 0 }, { side: 'left', markOf: () => null })
  return el(
    'div',
    { class: 'desk', 'data-split': right ? '' : null },
    el('div', { class: 'pane pane-left' }, strip, renderContent(content)),
    right && renderRightPane(right),
  )
}

/** A column that scrolls, with the view in its middle. */
export function renderContent({ layout, nodes }: Content): HTMLElement {
  const view = el('div', { class: 'view', id: 'view', 'data-layout': layout }, nodes)
  return el('main', { class: 'content', id: 'content', tabindex: -1 }, view)
}

function bottomBar(context: AppContext): HTMLElement {
  const { space } = context.app.state.get()
  return el(
    'nav',
    { class: 'bottom-bar', 'aria-label': 'Sections' },
    button('menu', space?.name ?? 'Spaces', () => context.app.panels.toggleNav(true)),
    navLink(context, '/search', 'search', 'Search'),
    button('plus', 'New', () => space && createPage(context.app, space, null)),
    navLink(context, '/inbox', 'inbox', 'Inbox', inboxCount(context)),
    button('companion', 'Companion', () => context.app.panels.toggleRail(true)),
  )
}

function button(name: IconName, label: string, onclick: () => void): HTMLElement {
  return el(
    'button',
    { class: 'nav-link', type: 'button', onclick },
    icon(name),
    el('span', { class: 'nav-label' }, label),
  )
}

/** Shows that the connection is lost, once that has lasted for a moment. */
function connectionNotice({ app, signal }: AppContext): HTMLElement {
  const notice = el('p', { class: 'connection', role: 'status' })
  let timer: ReturnType<typeof setTimeout> | undefined
  app.state.watch(
    ({ connection }) => connection,
    (connection) => {
      clearTimeout(timer)
      if (connection !== 'lost') notice.replaceChildren()
      else timer = setTimeout(() => notice.replaceChildren('Connection lost. Reconnecting…'), noticeDelayMs)
    },
    signal,
  )
  return notice
}

const noticeDelayMs = 2500

/**
 * Returns a function that draws the frame around the view, and ends the previous one. With `keep`, the nodes of the
 * view stay.
 */
export function createFrameDrawer(context: RailContext): (layout: OpenView['layout'] | 'keep') => void {
  let controller = new AbortController()

  return (layout) => {
    controller.abort()
    controller = new AbortController()
    const old = layout === 'keep' ? document.querySelector('.desk') : null
    const content = {
      layout: layout === 'keep' ? ('reading' as const) : layout,
      nodes: null,
      right: rightAddress(pageUrl()),
    }
    if (isPane()) {
      document.querySelector('#app')?.replaceChildren(renderContent(content))
      return
    }
    const frame = renderFrame({ ...context, signal: controller.signal }, content)
    const focused = document.activeElement
    if (old) frame.querySelector('.desk')?.replaceWith(old)
    document.querySelector('#app')?.replaceChildren(frame)
    // What moves to another place of the page loses the focus.
    if (focused instanceof HTMLElement && old?.contains(focused)) focused.focus({ preventScroll: true })
  }
}
