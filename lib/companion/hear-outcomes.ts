// What an agent is told at the start of a turn: the outcomes of its drafts in this conversation that it has not heard
// of. They are stored with the turn before the model is called, so that a turn that is taken up again, and every later
// look back upon it, reads the same. A turn that fails has told nothing: the next one tells it again.

import { undoOf } from '../changes/undone.ts'
import type { Database } from '../db/pool.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createToldOutcomesRepo, type NewsRow, type ToldRow } from '../db/repos/told_outcomes.ts'
import type { TurnRow } from '../db/repos/turns.ts'
import { titleOf } from '../entities/kind.ts'
import type { Kinds } from '../entities/kinds.ts'
import { describeOutcome, outcomeOf } from './describe-outcome.ts'
import { outcomeLine, type ToldLine } from './outcome-block.ts'

/** Outcomes given one by one, and characters of them together; more are counted. */
const mostListed = 20
const mostCharacters = 8000

/** `again`: the turn may have heard them before, and is then told the same. */
export async function hearOutcomes(
  { database, kinds }: { database: Database; kinds: Kinds },
  turn: Pick<TurnRow, 'id' | 'conversation_id'>,
  { again }: { again: boolean },
): Promise<ToldLine[]> {
  const repo = createToldOutcomesRepo(database)
  if (again) {
    const heard = await repo.listOfTurn(turn.id)
    if (heard.length > 0) return heard
  }
  const told: ToldRow[] = []
  let left = mostCharacters
  for (const news of await repo.listNews(turn.conversation_id)) {
    const row = await toTold(news, turn.id)
    if (!row) continue
    const listed = told.length < mostListed && row.told.length <= left
    if (listed) left -= row.told.length
    told.push(listed ? row : { ...row, told: '' })
  }
  if (told.length === 0) return []
  await database.transaction(async (tx) => {
    for (const row of told) await createToldOutcomesRepo(tx).insert(row)
  })
  return await repo.listOfTurn(turn.id)

  async function toTold(news: NewsRow, turnId: string): Promise<ToldRow | null> {
    const undo =
      news.applied_seq === null
        ? null
        : undoOf(news.applied_seq, await createAuditRepo(database).listUndos(news.entity_id))
    const outcome = outcomeOf(news, undo !== null)
    const audit_seq = undo?.seq ?? 0
    if (!outcome || (news.told_outcome === outcome && news.told_seq === audit_seq)) return null

    const kind = kinds.get(news.entity_type)
    const row = await createEntitiesRepo(database).findWithinSpaces(kind, [news.space_id], news.entity_id)
    const described = describeOutcome(news, { outcome, kind, title: row ? titleOf(row) : '' })
    const told = outcomeLine(described)
    return { turn_id: turnId, pending_change_id: news.id, outcome, audit_seq, told }
  }
}
