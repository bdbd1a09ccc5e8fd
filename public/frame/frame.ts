import { type IconName, icon } from '../components/icon.ts'
import { renderRightPane } from '../desk/right-pane.ts'
import { renderTabStrip } from '../desk/tab-strip.ts'
import { type Child, el } from '../dom.ts'
import { renderRail } from '../rail/rail.ts'
import { inboxCount, type Living, link, renderNav } from './nav.ts'

export type Content = {
  layout: 'reading' | 'wide'
  nodes: Child
  /** The address beside; `null`: the area is not split. */
  beside: string | null
}

/** The whole page: navigation, content, companion, and the bar that takes their place on a phone. */
export function renderFrame(living: Living, content: Content): HTMLElement {
  return el(
    'div',
    { class: 'frame' },
    el('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    el('div', { class: 'nav-place' }, renderNav(living.app, living.signal)),
    renderDesk(living, content),
    el('div', { class: 'rail-place' }, renderRail(living)),
    bottomBar(living),
    connectionNotice(living),
  )
}

/** The content area: the tab that is shown, and the one beside it where the address names one. */
function renderDesk({ app }: Living, content: Content): HTMLElement {
  const { here } = app.state.get()
  const { beside } = content
  const strip = renderTabStrip({ tabs: [here], current: 0 }, { side: 'left', markOf: () => null })
  return el(
    'div',
    { class: 'desk', 'data-split': beside ? '' : null },
    el('div', { class: 'pane pane-left' }, strip, renderContent(content)),
    beside && renderRightPane(beside),
  )
}

/** The column scrolls by itself; the view stands in its middle. */
export function renderContent({ layout, nodes }: Content): HTMLElement {
  const view = el('div', { class: 'view', id: 'view', 'data-layout': layout }, nodes)
  return el('main', { class: 'content', id: 'content', tabindex: -1 }, view)
}

function bottomBar(living: Living): HTMLElement {
  const { space } = living.app.state.get()
  return el(
    'nav',
    { class: 'bottom-bar', 'aria-label': 'Sections' },
    button('menu', space?.name ?? 'Spaces', () => living.app.toggleNav(true)),
    link(living, '/search', 'search', 'Search'),
    link(living, '/inbox', 'inbox', 'Inbox', inboxCount(living)),
    button('companion', 'Companion', () => living.app.toggleRail(true)),
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

/** Says that the server is away, once that has lasted for a moment. */
function connectionNotice({ app, signal }: Living): HTMLElement {
  const notice = el('p', { class: 'connection', role: 'status' })
  let timer: ReturnType<typeof setTimeout> | undefined
  app.state.watch(
    ({ connection }) => connection,
    (connection) => {
      clearTimeout(timer)
      if (connection !== 'lost') notice.replaceChildren()
      else timer = setTimeout(() => notice.replaceChildren(words), patienceMs)
    },
    signal,
  )
  return notice
}

const words = 'No connection to the server. Trying again …'
const patienceMs = 2500
