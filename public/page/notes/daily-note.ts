import type { Page, Space } from '../../../lib/contract/entities.ts'
import type { Moment } from '../../../lib/core/text/dates/format-moment.ts'
import { localDay } from '../../../lib/core/text/dates/local-day.ts'
import type { App } from '../../app/app.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'

/** The address that opens or makes the note of today. */
export const dailyHref = (slug: string): string => `${spaceHref(slug)}/daily`

/** The address of today's note, which is made if there is none yet; a new one opens in the editor. */
export async function findDailyNote({ api, now }: Pick<App, 'api' | 'now'>, space: Space): Promise<string> {
  const page = await api.post<Page>(`/api/spaces/${space.id}/daily-note`, localMoment(now()))
  const href = entityHref(space.slug, 'page', page.id)!
  return page.version === 1 ? `${href}?edit=1` : href
}

/** The day and the time of day where the reader is. */
export function localMoment(now: Date): Moment {
  const two = (number: number) => String(number).padStart(2, '0')
  return { day: localDay(now), time: `${two(now.getHours())}:${two(now.getMinutes())}` }
}
