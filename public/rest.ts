// Code that is not needed at first, loaded when the browser is idle.

import { startAgentsSections } from './activity/agents-section.ts'
import type { AppContext } from './app/app.ts'
import { addSelectionButton } from './blame/selection-button.ts'
import { startCaptures } from './capture/start-captures.ts'
import { startNavViews } from './frame/nav-views.ts'
import { restoreLostFocus } from './frame/restore-focus.ts'
import { startGlance } from './glance/start-glance.ts'
import { loadRichSyntax } from './markdown/markdown.ts'
import { startNotices } from './notices/start-notices.ts'
import { startFavouriteDrag } from './page/tree/drag-favourites.ts'
import { startPageDrag } from './page/tree/drag-pages.ts'
import { startPageDrafts } from './page-drafts/start-page-drafts.ts'
import { startEmbeddedLists } from './page-lists/embedded-lists.ts'
import { startLookedAt } from './rail/composer/looked-at.ts'
import { followOpenings } from './rail/follow-openings.ts'

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
  await import('./palette/palette.ts')
}
