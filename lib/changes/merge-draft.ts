import type { Conflict } from '../contract/changes/decision.ts'
import { textOf } from '../entities/kind.ts'
import { mergeText } from '../text/diff/merge-text.ts'
import { canonicalJson } from './payload.ts'

export type MergeInput = {
  /** The field with the long text. */
  bodyField: string
  /** The fields as the draft saw them; `null` when that can no longer be known: then every difference is a conflict. */
  base: Record<string, unknown> | null
  current: Record<string, unknown>
  payload: Record<string, unknown>
  /** Left out: the long text is merged. `false`: where it changed on both sides it is one conflict, as too complex. */
  mergesText?: boolean
}

export type MergedDraft = { payload: Record<string, unknown>; conflicts: Conflict[] }

/**
 * What a draft would change in the entity as it is now. A field or stretch of text that changed on both sides keeps
 * its current value and becomes a conflict; what the entity says already is left out. Pure.
 */
export function mergeDraft({
  bodyField,
  base,
  current,
  payload,
  mergesText = true,
}: MergeInput): MergedDraft {
  const merged: Record<string, unknown> = {}
  const conflicts: Omit<Conflict, 'index'>[] = []

  for (const [field, draft] of Object.entries(payload)) {
    const now = current[field]
    const then = base ? base[field] : undefined
    if (isSame(now, draft)) continue
    if (base && isSame(now, then)) merged[field] = draft
    else if (base && field === bodyField && mergesText) {
      const result = mergeText({ base: textOf(then), current: textOf(now), draft: textOf(draft) })
      if (result.text !== now) merged[field] = result.text
      conflicts.push(...result.conflicts.map((sides) => ({ field, ...sides })))
    } else if (!base || !isSame(then, draft)) {
      const sides = { field, at: null, base: then ?? null, current: now, draft }
      conflicts.push(mergesText || field !== bodyField ? sides : { ...sides, too_complex: true })
    }
  }
  return { payload: merged, conflicts: conflicts.map((one, index) => ({ index, ...one })) }
}

const isSame = (a: unknown, b: unknown) => canonicalJson(a) === canonicalJson(b)
