import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import type { Effect, Panel, PanelSide, PanelView } from '../../../contract/events/effects.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import type { Tool, ToolContext, ToolFailure } from '../registry.ts'

/** The views of a Space that can be opened as a tab, with the tab's title. */
export const panelViews = {
  home: 'Home',
  pages: 'Pages',
  tasks: 'Tasks',
  projects: 'Projects',
  refs: 'References',
  resources: 'Resources',
  'source-docs': 'Files',
  search: 'Search',
  activity: 'Activity',
  inbox: 'Inbox',
  trash: 'Trash',
} as const satisfies Record<PanelView, string>

const panelViewNames = Object.keys(panelViews) as PanelView[]

type Input = {
  action: 'open' | 'focus' | 'close'
  kind?: string | undefined
  id?: string | undefined
  view?: PanelView | undefined
  q?: string | undefined
  side?: PanelSide | undefined
}
type Result = { action: Input['action']; panel: Panel; side: PanelSide }

/** Shows something to the owner: a tab is opened, brought forward or closed. It changes nothing of what is stored. */
export function createOpenTool(kinds: readonly Kind[]): Tool<Input, Result> {
  return {
    name: 'open',
    title: 'Open a tab',
    description:
      'Show the owner an entity (kind and id) or a view of the Space in a tab; focus activates an open one. side left ' +
      'or right opens it beside the current tab. Only when the owner asks to see, open, arrange or close something. ' +
      'Returns no text.',
    input: z.object({
      action: z.enum(['open', 'focus', 'close']),
      kind: z.enum(kinds.map(({ type }) => type)).optional(),
      id: z.uuid().optional(),
      view: z.enum(panelViewNames).optional(),
      q: z.string().trim().max(200).optional().describe('Search query; only with view search'),
      side: z.enum(['here', 'left', 'right']).optional(),
    }),
    capability: 'read',
    actionClass: 'navigational',
    async handler(input, ctx) {
      const panel = await findPanel(input, ctx)
      return 'error' in panel ? panel : { action: input.action, panel, side: input.side ?? 'here' }
    },
    render: ({ action, panel, side }) =>
      `${{ open: 'Opened', focus: 'Brought forward', close: 'Closed' }[action]} ${quoteName(panel.title, 60)}` +
      `${action === 'open' && side !== 'here' ? ` on the ${side}` : ''}.`,
    given: ({ panel }) =>
      'kind' in panel
        ? [{ entity_type: panel.kind, entity_id: panel.id, title: panel.title, given_by: 'search' }]
        : [],
    summarize: ({ action, panel }) => `${action} “${panel.title}”`,
    target: ({ panel }) => ('kind' in panel ? { entity_type: panel.kind, entity_id: panel.id } : null),
    effects: ({ action, panel, side }): Effect[] => {
      if (action === 'open') return [{ type: 'openPanel', panel, side }]
      return [{ type: action === 'focus' ? 'focusPanel' : 'closePanel', panel }]
    },
  }
}

async function findPanel({ kind, id, view, q }: Input, ctx: ToolContext): Promise<Panel | ToolFailure> {
  const { space_id } = ctx
  if (view) return { space_id, view, q: view === 'search' ? (q ?? '') : null, title: panelViews[view] }
  if (!kind || !id) return { error: 'Specify kind and id of an entity, or a view.' }
  const { title } = await ctx.services.name(ctx.actor, { space_id, kind, id })
  return { space_id, kind, id, title }
}
