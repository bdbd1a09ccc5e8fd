import { renderRightFrame } from '../../app/router/routes.ts'
import { el } from '../../ui/dom.ts'
import { renderTabStrip } from './tab-strip.ts'

/** The right pane: room for its tabs, and the frame that shows an address. */
export const renderRightPane = (href: string): HTMLElement =>
  el(
    'section',
    { class: 'pane pane-right' },
    renderTabStrip({ tabs: [], current: -1 }, { side: 'right', markOf: () => null }),
    renderRightFrame(href),
  )
