// What is sent about a list, a board, a search or Home with a message: its filters, the rows in sight, and the row that
// had the focus before the message was written.

import type { AppContext } from '../../app/app.ts'
import { outward, within } from '../../ui/address.ts'
import { kindNames } from '../../ui/words/addresses.ts'

type Thing = { kind: string; id: string }

const maxRows = 40
/** Of the address: what is searched for is told by itself, and how far a list is loaded says nothing. */
const notFilters = ['q', 'shown', 'active', 'closed', 'beside', 'turn', 'call', 'cite']
const types = Object.entries(kindNames).map(([kind, { path }]) => ({ kind, path }))

export function startLookedAt({ app, signal }: AppContext): void {
  let row: Element | null = null
  const onFocus = ({ target }: Event) => {
    if (target instanceof Element && target.closest('#content')) row = target
  }
  document.addEventListener('focusin', onFocus, { signal })

  app.lookedAt = (desk) => {
    const tab = desk?.tabs.find(({ side, shown }) => shown && side === desk.active)
    if (!desk || !tab || !('view' in tab)) return null
    const { here, beside } = app.state.get()
    const isRight = desk.active === 'right'
    const { href } = (isRight && beside?.tab) || here
    const page = isRight ? document.querySelector<HTMLIFrameElement>('#beside')?.contentDocument : document
    const content = page?.querySelector('#content')
    const focused = row && content?.contains(row) ? thingOf(linkIn(row)) : null
    return {
      entityType: 'view',
      entityId: tab.view,
      q: tab.q,
      filters: filtersIn(href),
      rows: content ? thingsInSight(content) : [],
      selected: focused ? [focused] : [],
    }
  }
}

function filtersIn(href: string): Record<string, string> {
  const query = [...new URLSearchParams(href.split('?')[1])]
  const set = query.filter(
    ([name, value]) => value && /^[a-z_]{1,20}$/.test(name) && !notFilters.includes(name),
  )
  return Object.fromEntries(set.slice(0, 10).map(([name, value]) => [name, value.slice(0, 100)]))
}

function thingsInSight(content: Element): Thing[] {
  const { innerHeight, innerWidth } = content.ownerDocument.defaultView ?? window
  const links = [...content.querySelectorAll<HTMLAnchorElement>(entityLinks)].filter((link) => {
    const { top, bottom, left, right } = link.getBoundingClientRect()
    return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && link.checkVisibility()
  })
  const things = new Map(links.flatMap((link) => thingOf(link) ?? []).map((thing) => [thing.id, thing]))
  return [...things.values()].slice(0, maxRows)
}

const entityLinks = `a[href^="${outward('/s/')}"]`

/** The link of the row that an element is in. */
const linkIn = (element: Element) =>
  element.closest('a[href]') ??
  element.closest('[data-id], [data-task], li, tr')?.querySelector(entityLinks) ??
  null

function thingOf(link: Element | null): Thing | null {
  const address = link instanceof HTMLAnchorElement ? within(link.href)?.pathname : null
  const [, path, id = ''] = /^\/s\/[^/]+\/([^/]+)\/([0-9a-f-]{36})$/.exec(address ?? '') ?? []
  const type = types.find((each) => each.path === path)
  return type ? { kind: type.kind, id } : null
}
