import { el } from '../dom.ts'
import { renderBeside } from './beside.ts'
import { renderTabStrip } from './tab-strip.ts'

/** The right half: room for its tabs, and the frame that shows an address. */
export const renderRightPane = (href: string): HTMLElement =>
  el(
    'section',
    { class: 'pane pane-right' },
    renderTabStrip({ tabs: [], current: -1 }, { side: 'right', markOf: () => null }),
    renderBeside(href),
  )
