// The gates of time and number, asked before anything is loaded.

import type { GlanceMode, GlanceReason } from '../../../contract/companion/glance.ts'
import type { GlanceFacts, GlanceSettingsRow } from '../../../db/repos/glances.ts'

/** Between two nudges. */
const minGapMs = 180_000
/** Nudges in a row that were not used, after which it turns itself off. */
export const maxUnused = 10

export type Situation = {
  settings: Pick<GlanceSettingsRow, 'snoozed_until' | 'nudges_per_day' | 'evaluations_per_day'>
  facts: GlanceFacts
  mode: Exclude<GlanceMode, 'off'>
  /** Whether a model is connected. */
  online: boolean
  /** Whether the day’s tokens are used up. */
  spent: boolean
  typing: boolean
  now: Date
}

/** Why nothing is looked at now; `null`: it may be. */
export function checkLimits({
  settings,
  facts,
  mode,
  online,
  spent,
  typing,
  now,
}: Situation): GlanceReason | null {
  const { snoozed_until, nudges_per_day, evaluations_per_day } = settings
  const since = (time: string) => now.getTime() - Date.parse(time)
  if (!online) return 'offline'
  if (!facts.has_mail && !facts.has_tasks) return 'nothing_to_see'
  if (mode === 'live' && isUnused(facts.verdicts)) return 'turned_off'
  if (snoozed_until !== null && since(snoozed_until) < 0) return 'snoozed'
  if (typing) return 'typing'
  if (facts.turn_running) return 'turn_running'
  if (facts.last_nudge_at !== null && since(facts.last_nudge_at) < minGapMs) return 'too_soon'
  if (facts.nudges_today >= nudges_per_day) return 'nudges_spent'
  if (facts.evaluations_today >= evaluations_per_day) return 'evaluations_spent'
  return spent ? 'tokens_spent' : null
}

const isUnused = (verdicts: GlanceFacts['verdicts']): boolean =>
  verdicts.length >= maxUnused && verdicts.slice(0, maxUnused).every((verdict) => verdict !== 'useful')

/**
 * The mode that a request is looked at in. What the owner chose holds: a request can make live shadow, and chooses for
 * itself only where nothing was ever chosen.
 */
export function effectiveMode(
  chosen: GlanceMode | null,
  asked: Exclude<GlanceMode, 'off'> | null,
): GlanceMode {
  if (chosen === null) return asked ?? 'off'
  return chosen === 'live' && asked === 'shadow' ? 'shadow' : chosen
}
