// Code that is not needed at first, loaded when the browser is idle.

import type { AppContext } from '../app/app.ts'
import { startPageDrafts } from '../drafts/on-page/start-page-drafts.ts'
import { startAgentsSections } from '../features/activity/agents-section.ts'
import { startCaptures } from '../features/capture/start-captures.ts'
import { startGlance } from '../features/glance/start-glance.ts'
import { startNavViews } from '../frame/nav-views.ts'
import { startNotices } from '../frame/notices.ts'
import { restoreLostFocus } from '../frame/restore-focus.ts'
import { addSelectionButton } from '../page/blame/selection-button.ts'
import { startEmbeddedLists } from '../page/lists/embedded-lists.ts'
import { startFavouriteDrag, startPageDrag } from '../page/tree/drag-pages.ts'
import { startLookedAt } from '../rail/composer/looked-at.ts'
import { followOpenings } from '../rail/follow-openings.ts'
import { loadRichSyntax } from '../ui/markdown/markdown.ts'

export async function startRest(context: AppContext): Promise<void> {
  restoreLostFocus(context.signal)
  addSelectionButton(context)
  startGlance(context)
  startLookedAt(context)
  void followOpenings(context)
  startAgentsSections(context)
  startPageDrafts(context)
  startEmbeddedLists(context)
  startPageDrag(context.app, context.signal)
  startFavouriteDrag(context.app, context.signal)
  startNotices(context)
  void loadRichSyntax()
  startNavViews(context)
  startCaptures(context)
  await import('../frame/palette/palette.ts')
}
