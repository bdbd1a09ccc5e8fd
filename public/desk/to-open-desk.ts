import type { PanelView } from '../../lib/contract/effects.ts'
import type { OpenDesk, OpenTab } from '../../lib/contract/open-desk.ts'
import { isKind, spaceHref } from '../addresses.ts'
import { currentTab, type Desk, type Side, type Tab } from './desk-state.ts'

export type OpenDeskOptions = {
  /** The slug of the Space that is asked in. Tabs of another one are not told. */
  slug: string
  /** The id of what is not to be told. */
  without: string | null
}

/** The tabs as a turn is told of them: no titles, which the server knows itself. */
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
