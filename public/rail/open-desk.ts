import type { OpenDesk } from '../../lib/contract/open-desk.ts'
import { type App, lookedAt } from '../app.ts'
import type { Subject } from '../view.ts'

/** The tabs that a message is sent with. What it is not to say that it is looked at, it does not say is open either. */
export const openDesk = (app: App, subject: Subject | null): OpenDesk | null =>
  app.openDesk(subject ? null : (lookedAt(app.state.get())?.entityId ?? null))
