import type { AppContext } from '../../app/app.ts'
import { isPane } from '../desk/pane-link.ts'
import { startDraftNotices } from './draft-notices.ts'
import { startReminders } from './reminders.ts'

/** What comes by itself is shown by the window, not by a part of it. */
export function startNotices(context: AppContext): void {
  if (isPane()) return
  startDraftNotices(context)
  startReminders(context)
}
