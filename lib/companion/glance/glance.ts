// The glance: when the owner looks at something that needs them, one sentence and one action, or silence, which is the
// usual result. Two models propose; gates in code decide (docs/guide/Glance.md).

import type { CallModel } from '../../ai/model.ts'
import type { BegunWith } from '../../contract/companion/companion.ts'
import type {
  Glance as GlanceEntry,
  GlanceSettings,
  GlanceSettingsChange,
  GlanceVerdict,
} from '../../contract/companion/glance.ts'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createGlanceMailRepo } from '../../db/repos/glance_mail.ts'
import { createGlanceSettingsRepo, createGlancesRepo, type GlanceRow } from '../../db/repos/glances.ts'
import { type Job, startJob } from '../../jobs/start-job.ts'
import { type LookDeps, type LookRequest, look, passing } from './look.ts'
import { changeSettings, loadSettings, unavailableReason } from './settings.ts'

export type Glance = {
  /** Looks once. Never rejects: what fails is silence. */
  look(request: Omit<LookRequest, 'signal'>): ReturnType<typeof look>
  /** What it decided, the latest first; one more than `limit` where there is more. */
  list(
    spaceId: string,
    filter: { nudges: boolean; open: boolean; before_id: string | null; limit: number },
  ): Promise<GlanceEntry[]>
  /** The owner's verdict on what it said. Throws a 404 `AppError`. */
  judge(id: string, verdict: GlanceVerdict): Promise<GlanceEntry>
  /** What a message that begins with a nudge carries. Throws a 404 `AppError`. */
  begunWith(spaceId: string, id: string): Promise<BegunWith>
  settings(spaceId: string): Promise<GlanceSettings>
  /** Throws a 400 `AppError`. */
  change(spaceId: string, change: GlanceSettingsChange): Promise<GlanceSettings>
  /** Why it can look at nothing; `null`: it can. */
  unavailable(): string | null
  /** Looks at mail as it comes, and removes old entries, until the function returned is called. */
  start(): () => Promise<void>
}

/** Wall clocks default to ten seconds. */
type GlanceDeps = Omit<LookDeps, 'triageMs' | 'analystMs'> & Partial<Pick<LookDeps, 'triageMs' | 'analystMs'>>

const wallClockMs = 10_000

const hourMs = 3_600_000

const dayMs = 24 * hourMs

/** How long a nudge is on offer. */
const openMs = dayMs

const keptDays = 90

const maxPerSpace = 5000

export function createGlance({
  triageMs = wallClockMs,
  analystMs = wallClockMs,
  ...others
}: GlanceDeps): Glance {
  const deps: LookDeps = { ...others, triageMs, analystMs }
  const { database, now, models, publish } = deps
  const closing = new AbortController()
  const repo = createGlancesRepo(database)
  const before = (ms: number) => new Date(now().getTime() - ms)

  return {
    look: (request) => look(deps, { ...request, signal: closing.signal }),

    async list(spaceId, { nudges, open, before_id, limit }) {
      const open_since = open ? before(openMs) : null
      const rows = await repo.list(spaceId, { nudges, open_since, before_id, limit })
      return rows.map(toEntry)
    },

    async judge(id, verdict) {
      const row = await repo.judge(id, verdict, now())
      if (!row) throw notFound('nudge', id)
      publish({ type: 'nudge', data: { id, space_id: row.space_id, state: 'settled', message: null } })
      return toEntry(row)
    },

    async begunWith(spaceId, id) {
      const { evidence: [evidence] = [], action_prompt = null } = (await repo.findNudge(spaceId, id)) ?? {}
      if (!evidence) throw notFound('nudge', id)
      return { id, message_id: evidence.message_id, action_prompt: action_prompt ?? '' }
    },

    settings: (spaceId) => loadSettings(deps, spaceId),

    async change(spaceId, change) {
      await changeSettings(deps, spaceId, change)
      publish({ type: 'nudge', data: { id: null, space_id: spaceId, state: 'changed', message: null } })
      return await loadSettings(deps, spaceId)
    },

    unavailable: () => unavailableReason(models),

    start() {
      const prune = () => repo.prune(before(keptDays * dayMs), maxPerSpace)
      const stops = [
        startJob(deps, newMailJob(deps)),
        startJob(deps, { name: 'prune-glances', everyMs: hourMs, run: prune }),
      ]
      return async () => {
        closing.abort()
        await Promise.all(stops.map((stop) => stop()))
      }
    },
  }
}

const toEntry = ({ view_key: _, ...entry }: GlanceRow): GlanceEntry => entry

// Mail that arrives is looked at as if its thread had been opened: the latest few threads of each round.

const everyMs = 5000

const maxSpaces = 20

const maxThreads = 3

/** Older mail comes in when an account is new. */
const maxAgeMs = 86_400_000

function newMailJob(deps: LookDeps, callModel: CallModel | null = null): Job {
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
