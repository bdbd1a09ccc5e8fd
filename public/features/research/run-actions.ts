// What the owner does with a run. Going on is a turn of its thread: it is begun here and followed where the thread is
// shown.

import type { EditedPlan, ResearchBudget, ResearchRun } from '../../../lib/contract/research.ts'
import { createIdempotencyKey } from '../../app/api/idempotency-key.ts'
import type { App } from '../../app/app.ts'

const pathOf = (id: string) => `/api/research/${id}`

export const loadRun = ({ api }: Pick<App, 'api'>, id: string): Promise<ResearchRun> => api.get(pathOf(id))

export const resumeRun = (
  app: Pick<App, 'api'>,
  id: string,
  body: { plan?: EditedPlan; budget?: Partial<ResearchBudget> } = {},
): Promise<void> => begin(app, `${pathOf(id)}/resume`, body)

export const rerun = (app: Pick<App, 'api'>, id: string): Promise<void> =>
  begin(app, `${pathOf(id)}/rerun`, {})

/** A message in the thread that a run holds. */
export const sayToRun = (
  app: Pick<App, 'api'>,
  { space_id, conversation_id }: Pick<ResearchRun, 'space_id' | 'conversation_id'>,
  text: string,
): Promise<void> => begin(app, `/api/spaces/${space_id}/companion/turn`, { text, conversation_id })

export const stopRun = ({ api }: Pick<App, 'api'>, id: string): Promise<ResearchRun> =>
  api.post(`${pathOf(id)}/stop`, {})

export const describeRun = (
  { api }: Pick<App, 'api'>,
  id: string,
  change: { title?: string; archived?: boolean; labels?: string[] },
): Promise<ResearchRun> => api.patch(pathOf(id), change)

/** Resolves once the turn has begun; it runs whether or not somebody reads it. */
async function begin({ api }: Pick<App, 'api'>, path: string, body: object): Promise<void> {
  const response = await api.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': createIdempotencyKey() },
    body: JSON.stringify(body),
  })
  await response.body?.cancel()
}
