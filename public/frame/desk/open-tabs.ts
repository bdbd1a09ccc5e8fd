import type { OpenDesk, OpenTab } from '../../../lib/contract/companion/open-desk.ts'
import type { PanelView } from '../../../lib/contract/events/effects.ts'
import type { Side, Tab } from '../../app/app.ts'
import { isKind, spaceHref } from '../../ui/words/addresses.ts'
import { currentTab, type Desk } from './desk-state.ts'

export type OpenDeskOptions = {
  /** The slug of the Space of the conversation. Tabs of other Spaces are left out. */
  slug: string
  /** The id of an entity that is left out. */
  without: string | null
}

/** The tabs to send with a turn: without titles, which the server has. */
export function toOpenDesk(desk: Desk, options: OpenDeskOptions): OpenDesk {
  const sides: Side[] = ['left', 'right']
  return {
    active: desk.active,
    tabs: sides.flatMap((side) =>
      desk[side].tabs.flatMap((tab): OpenTab[] => {
        const what = describe(tab, options)
        return what ? [{ side, shown: tab === currentTab(desk[side]), ...what }] : []
      }),
    ),
  }
}

type What = { kind: string; id: string } | { view: PanelView; q: string | null }

function describe({ href, kind }: Tab, { slug, without }: OpenDeskOptions): What | null {
  const [path = '', query] = href.split('?')
  if (path.startsWith('/s/') && path !== spaceHref(slug) && !path.startsWith(`${spaceHref(slug)}/`))
    return null
  const id = path.split('/').at(-1) ?? ''
  if (isKind(kind)) return id === without ? null : { kind, id }
  if (!isView(kind)) return null
  return {
    view: kind,
    q: kind === 'search' ? (new URLSearchParams(query).get('q')?.slice(0, 200) ?? null) : null,
  }
}

const views: Record<PanelView, true> = {
  home: true,
  pages: true,
  tasks: true,
  projects: true,
  refs: true,
  resources: true,
  'source-docs': true,
  search: true,
  activity: true,
  inbox: true,
  trash: true,
}

const isView = (name: string): name is PanelView => Object.hasOwn(views, name)
