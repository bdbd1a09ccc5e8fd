// The lines of memory that a turn is given, and how the model is told of them.

import { renderPrompt } from '../../ai/prompts/prompts.ts'
import { isFromOutside, isUntrusted } from '../../changes/grounding/untrusted.ts'
import { type Calendar, today } from '../../core/schedule/calendar.ts'
import { dayIn } from '../../core/schedule/zoned.ts'
import {
  chooseMemory,
  type GivenLine,
  readMemory,
  showMemoryLine,
} from '../../core/text/memory/memory-lines.ts'
import type { Queryable } from '../../db/pool.ts'
import { createMemoryPagesRepo, type MemoryPageRow } from '../../db/repos/memory_pages.ts'

/** The lines of the Space, and of the owner’s page of all Spaces. A page that holds text from outside gives none. */
export async function loadMemory(db: Queryable, spaceId: string, calendar: Calendar): Promise<GivenLine[]> {
  const pages = await createMemoryPagesRepo(db).listRead(spaceId)
  const own = pages.filter(isOwn)
  return chooseMemory(
    own.map(({ body, updated_at }) => ({
      lines: readMemory(body),
      changed: dayIn(new Date(updated_at), calendar.zone()),
    })),
    today(calendar),
  )
}

/** Whether all of a memory page is the owner’s: nothing but they and their approval wrote it. */
const isOwn = ({ origin, created_by, updated_by }: MemoryPageRow): boolean =>
  !isFromOutside(updated_by) &&
  !isUntrusted({ entity_type: 'page', origin, given_by: 'read', created_by, updated_by })

/** Behind the system prompt; empty for no lines. */
export const memoryPrompt = (lines: readonly GivenLine[]): string =>
  lines.length === 0 ? '' : renderPrompt('memory', { lines: lines.map(showMemoryLine).join('\n') })
