// Code that is not needed at first, loaded when the browser is idle.

import type { TimeZone } from '../../lib/contract/auth.ts'
import { machineZone } from '../../lib/core/schedule/zoned.ts'
import type { AppContext } from '../app/app.ts'
import { startPageDrafts } from '../drafts/on-page/start-page-drafts.ts'
import { startAgentsSections } from '../features/activity/agents-section.ts'
import { startCaptures } from '../features/capture/start-captures.ts'
import { startGlance } from '../features/glance/start-glance.ts'
import { startPreviews } from '../features/preview/start-previews.ts'
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
  startPreviews(context)
  startPageDrag(context.app, context.signal)
  startFavouriteDrag(context.app, context.signal)
  startNotices(context)
  void loadRichSyntax()
  startNavViews(context)
  startCaptures(context)
  void reportTimeZone(context)
  await import('../frame/palette/palette.ts')
}

/** Until the owner's time zone is known, the first browser names its own. */
async function reportTimeZone({ app }: AppContext): Promise<void> {
  const { dataset } = document.documentElement
  if (dataset.zone) return
  const reported = { time_zone: machineZone(), set_by: 'browser' }
  const known = await app.api.put<TimeZone>('/api/time-zone', reported).catch(() => null)
  if (known) dataset.zone = known.time_zone
}
