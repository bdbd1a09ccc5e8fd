import { textOf } from '../../contract/entities/kind.ts'
import type { DraftText } from './check-quotes.ts'

/** The texts of a payload, each beside what it would replace. */
export const draftTexts = (
  payload: Record<string, unknown>,
  row: Readonly<Record<string, unknown>> | null,
): DraftText[] =>
  Object.entries(payload).flatMap(([field, after]) =>
    typeof after === 'string' ? [{ field, before: textOf(row?.[field]), after }] : [],
  )
