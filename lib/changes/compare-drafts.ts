// What is left of a draft beside other texts: beside what moved on since, beside a newer draft that replaces it, and where
// only some of its hunks are taken. Pure functions, which threads run on large texts.

import type { ChangeAction, Conflict, DroppedChange } from '../contract/changes/decision.ts'
import { textOf } from '../contract/entities/kind.ts'
import { splitLines } from '../core/text/clean.ts'
import { applyHunks, computeHunks } from '../core/text/diff/hunks.ts'
import { mergeText } from '../core/text/diff/merge-text.ts'
import { type TextThreads, textTask } from '../jobs/workers/text-threads.ts'
import { canonicalJson } from './payload.ts'

export type MergeInput = {
  /** The field with the long text. */
  bodyField: string
  /** The fields as the draft saw them; `null` when that can no longer be known: then every difference is a conflict. */
  base: Record<string, unknown> | null
  current: Record<string, unknown>
  payload: Record<string, unknown>
  /** Default: the long text is merged. `false`: where it changed on both sides it is one conflict, as too complex. */
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

/** `mergeDraft` in a thread where the texts are large; one that is too complex to merge is one conflict. */
export async function mergeInThread(threads: TextThreads, input: MergeInput): Promise<MergedDraft> {
  return (await threads.run(mergeTask, input)) ?? mergeDraft({ ...input, mergesText: false })
}

const mergeTask = textTask(new URL(import.meta.url), mergeDraft)

/** Characters of a dropped change that are shown. */
const maxTextChars = 200

type Draft = { action: ChangeAction; payload: Record<string, unknown> }

export type DropQuestion = {
  older: Draft
  newer: Draft
  /** What both would change; `null` for something new. */
  row: Record<string, unknown> | null
  /** The fields as the older draft saw them; `null` when that can no longer be known. */
  base: Record<string, unknown> | null
  bodyField: string
}

/** What the older draft would change and the newer one would not. */
export function droppedChanges({ older, newer, row, base, bodyField }: DropQuestion): DroppedChange[] {
  if (newer.action === 'delete') return []
  if (older.action === 'delete') return [{ field: '', text: 'the deletion' }]
  const dropped: DroppedChange[] = []
  for (const [field, value] of Object.entries(older.payload)) {
    const now = field in newer.payload ? newer.payload[field] : row?.[field]
    if (JSON.stringify(now) === JSON.stringify(value)) continue
    if (field !== bodyField || typeof value !== 'string') {
      dropped.push({ field, text: String(value ?? 'none').slice(0, maxTextChars) })
      continue
    }
    const lost = lostLines(textOf((base ?? row)?.[field]), value, String(now ?? ''))
    if (lost !== '') dropped.push({ field, text: lost.slice(0, maxTextChars).toWellFormed() })
  }
  return dropped
}

/** The lines that `drafted` adds to `before` and that are not in `now`; by words where a line was changed further. */
function lostLines(before: string, drafted: string, now: string): string {
  const kept = new Set(splitLines(now).map((line) => line.trim()))
  const words = new Set(now.split(/\s+/))
  return computeHunks(before, drafted)
    .flatMap((hunk) => {
      const old = new Set(hunk.before.lines.flatMap((line) => line.split(/\s+/)))
      const added = hunk.after.lines
        .map((line) => line.trim())
        .filter((line) => line !== '' && !kept.has(line))
      return added.filter((line) => line.split(/\s+/).some((word) => !old.has(word) && !words.has(word)))
    })
    .join(' / ')
}

type HunkChoice = { before: string; after: string; wanted: readonly number[] }

/** The chosen hunks applied to a text, and how many hunks there are. */
export function chooseHunks({ before, after, wanted }: HunkChoice): { count: number; text: string } {
  const count = computeHunks(before, after).length
  return { count, text: applyHunks(before, after, new Set(wanted)) }
}

const isSame = (a: unknown, b: unknown) => canonicalJson(a) === canonicalJson(b)
