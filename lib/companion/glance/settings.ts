// What the owner has set of a Space’s glance, with how it did.

import type { ModelProvider } from '../../ai/models/model-provider.ts'
import type { GlanceSettings, GlanceSettingsChange } from '../../contract/companion/glance.ts'
import { invalid } from '../../core/errors.ts'
import { type Calendar, today } from '../../core/schedule/calendar.ts'
import { startOfDay } from '../../core/schedule/instants.ts'
import { addDays } from '../../core/schedule/zoned.ts'
import type { Database } from '../../db/pool.ts'
import {
  createGlanceSettingsRepo,
  createGlancesRepo,
  type GlanceSettingsRow,
} from '../../db/repos/glances.ts'

export type SettingsDeps = {
  database: Database
  models: Pick<ModelProvider, 'current'>
  now: () => Date
  calendar: Calendar
}

const shownDays = 14
const maxMutes = 500

/** Why it can't look at anything; `null`: it can. */
export const unavailableReason = (models: Pick<ModelProvider, 'current'>): string | null =>
  models.current().mode === 'online' ? null : 'No model is connected, so the glance looks at nothing.'

/** Before the owner has chosen anything. */
export const newSettings = (space_id: string, now: Date): GlanceSettingsRow => ({
  space_id,
  mode: 'off',
  snoozed_until: null,
  nudges_per_day: 5,
  evaluations_per_day: 40,
  turned_off_at: null,
  mode_since: now.toISOString(),
  mail_seen_at: now.toISOString(),
})

export async function loadSettings(
  { database, models, now, calendar }: SettingsDeps,
  spaceId: string,
): Promise<GlanceSettings> {
  const repo = createGlanceSettingsRepo(database)
  const glances = createGlancesRepo(database)
  const row = (await repo.find(spaceId)) ?? newSettings(spaceId, now())
  const days = Array.from({ length: shownDays }, (_, at) => addDays(today(calendar), at + 1 - shownDays))
  const starts = days.map((day) => startOfDay(day, calendar.zone()))
  const sums = new Map((await glances.sumDays(spaceId, starts)).map((sum) => [sum.day, sum]))
  const nothing = { nudges: 0, evaluations: 0, avoided: 0, tokens: 0, cost: null }
  return {
    space_id: spaceId,
    mode: row.mode,
    snoozed_until: row.snoozed_until,
    nudges_per_day: row.nudges_per_day,
    evaluations_per_day: row.evaluations_per_day,
    muted: await repo.listMutes(spaceId),
    turned_off_at: row.turned_off_at,
    unavailable: unavailableReason(models),
    score: scoreOf(await glances.score(spaceId)),
    days: days.map((day, at) => ({ ...nothing, ...sums.get(at + 1), day })),
  }
}

/** At least so many were judged, at most this share of them was noise, and at least this share of looks was silent. */
const minJudged = 20
const maxFalseAlarms = 0.1
const minRestraint = 0.7

function scoreOf({
  judged,
  noise,
  looks,
  nudges,
}: {
  judged: number
  noise: number
  looks: number
  nudges: number
}): GlanceSettings['score'] {
  const false_alarms = judged === 0 ? null : noise / judged
  const restraint = looks === 0 ? null : (looks - nudges) / looks
  const ready =
    judged >= minJudged && (false_alarms ?? 1) <= maxFalseAlarms && (restraint ?? 0) >= minRestraint
  return { judged, false_alarms, restraint, ready }
}

/** Throws a 400 `AppError` for what cannot be muted. */
export async function changeSettings(
  { database, now }: SettingsDeps,
  spaceId: string,
  { mute, unmute, ...change }: GlanceSettingsChange,
): Promise<void> {
  if (mute) checkMute(mute)
  await database.transaction(async (tx) => {
    const repo = createGlanceSettingsRepo(tx)
    const time = now()
    const stored = (await repo.find(spaceId)) ?? newSettings(spaceId, time)
    const mode = change.mode ?? stored.mode
    const isOther = mode !== stored.mode || stored.turned_off_at !== null
    const at = time.toISOString()
    // Saved also where nothing is different: then "off" was chosen.
    await repo.save({
      ...stored,
      mode,
      snoozed_until: change.snoozed_until === undefined ? stored.snoozed_until : change.snoozed_until,
      nudges_per_day: change.nudges_per_day ?? stored.nudges_per_day,
      evaluations_per_day: change.evaluations_per_day ?? stored.evaluations_per_day,
      ...(change.mode && isOther ? { mode_since: at, turned_off_at: null } : {}),
      // Mail that came while it was off is not looked at.
      ...(change.mode && stored.mode === 'off' ? { mail_seen_at: at } : {}),
    })
    if (unmute) await repo.unmute(spaceId, unmute)
    if (!mute) return
    if ((await repo.listMutes(spaceId)).length >= maxMutes) throw invalid(`mute: at most ${maxMutes}.`)
    await repo.mute(spaceId, mute, time)
  })
}

function checkMute({ type, value }: NonNullable<GlanceSettingsChange['mute']>): void {
  if (type === 'kind' && value !== 'reply' && value !== 'deadline')
    throw invalid('mute: kind must be reply or deadline.')
}
