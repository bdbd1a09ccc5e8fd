// Mail that arrives is looked at as if its thread had been opened: the latest few threads of each round.

import type { CallModel } from '../ai/model.ts'
import type { Database } from '../db/pool.ts'
import { createGlanceMailRepo } from '../db/repos/glance_mail.ts'
import { createGlanceSettingsRepo } from '../db/repos/glances.ts'
import type { Job } from '../jobs/start-job.ts'
import { type LookDeps, look, passing } from './look.ts'

const everyMs = 5000
const maxSpaces = 20
const maxThreads = 3
/** Older mail comes in when an account is new. */
const maxAgeMs = 86_400_000

export function newMailJob(deps: LookDeps, callModel: CallModel | null = null): Job {
  const { database } = deps
  return {
    name: 'glance',
    everyMs,
    isDue: async () => (await createGlanceMailRepo(database).listWithNewMail(1)).length > 0,
    async run(signal) {
      for (const spaceId of await createGlanceMailRepo(database).listWithNewMail(maxSpaces)) {
        signal.throwIfAborted()
        await lookAtNewMail(deps, { space_id: spaceId, callModel, signal })
      }
    },
  }
}

type Round = { space_id: string; callModel: CallModel | null; signal: AbortSignal }

async function lookAtNewMail(deps: LookDeps, { space_id, callModel, signal }: Round): Promise<void> {
  const { database, now } = deps
  const until = await lastStored(database, space_id)
  const settings = await createGlanceSettingsRepo(database).find(space_id)
  if (!settings || !until) return
  const threads = await createGlanceMailRepo(database).listNew(space_id, {
    after: settings.mail_seen_at,
    sentAfter: new Date(now().getTime() - maxAgeMs),
    limit: maxThreads,
  })
  for (const { thread_id } of threads) {
    signal.throwIfAborted()
    const view = { entityType: 'mail_thread', entityId: thread_id }
    const asked = { space_id, source: 'mail' as const, view, image: null, mode: null, typing: false }
    const { reason } = await look(deps, { ...asked, callModel, signal })
    if (passing.includes(reason)) return
  }
  await createGlanceSettingsRepo(database).setMailSeen(space_id, until)
}

const lastStored = (database: Database, spaceId: string) => createGlanceMailRepo(database).lastStored(spaceId)
