import type { Page, Space } from '../../../lib/contract/entities.ts'
import { wallTime } from '../../../lib/core/schedule/zoned.ts'
import type { Moment } from '../../../lib/core/text/dates/format-moment.ts'
import type { App } from '../../app/app.ts'
import { ownerZone } from '../../ui/time.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'

/** The address that opens or makes the note of today. */
export const dailyHref = (slug: string): string => `${spaceHref(slug)}/daily`

/** The address of today's note, which is made if there is none yet; a new one opens in the editor. */
export async function findDailyNote({ api, now }: Pick<App, 'api' | 'now'>, space: Space): Promise<string> {
  const page = await api.post<Page>(`/api/spaces/${space.id}/daily-note`, localMoment(now()))
  const href = entityHref(space.slug, 'page', page.id)!
  return page.version === 1 ? `${href}?edit=1` : href
}

/** The day and the time of day where the owner is. */
export function localMoment(now: Date): Moment {
  const { day, time } = wallTime(now, ownerZone())
  return { day, time: time.slice(0, 5) }
}
