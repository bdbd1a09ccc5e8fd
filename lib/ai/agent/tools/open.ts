import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import type { Effect, Panel, PanelSide, PanelView } from '../../../contract/events/effects.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import { entityNames, kindNames } from '../check-proposal.ts'
import { notListed, type Tool, type ToolContext, type ToolFailure } from '../registry.ts'

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
      'Open, activate or close a tab of the owner: an entity or a view. Only when they ask to see, arrange or close ' +
      'something; it returns no text.',
    input: z.object({
      action: z.enum(['open', 'focus', 'close']).default('open').describe('What to do'),
      kind: z
        .enum(kinds.map(({ type }) => type))
        .optional()
        .describe('Kind, as results name it')
        .meta(notListed),
      id: z.uuid().optional().describe('Its id'),
      view: z.enum(panelViewNames).optional().describe('A view instead of an entity'),
      q: z.string().trim().max(200).optional().describe('Query, for the view search'),
      side: z.enum(['here', 'left', 'right']).optional().describe('Where'),
    }),
    names: { ...entityNames, query: 'q' },
    values: { ...kindNames, show: 'open', activate: 'focus' },
    byPath: { id: 'id', kind: 'kind' },
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
