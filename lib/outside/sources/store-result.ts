import { v7 as uuid } from 'uuid'
import type { Writer } from '../../content/writes/write.ts'
import type { EntityRow } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { OwnerActor, SystemActor } from '../../core/actor.ts'
import { notFound } from '../../core/errors.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createToolResultsRepo } from '../../db/repos/tool_calls.ts'

type NewResult = {
  space_id: string
  agent_id: string
  turn_id: string | null
  tool_use_id?: string | null
  result: {
    source_id: string
    source_name: string
    tool: string
    arguments: string
    text: string
    cut: boolean
    failed: boolean
  }
  now: Date
}

/** Stores what a tool answered, and returns its id. */
export async function storeResult(
  db: Queryable,
  { space_id, agent_id, turn_id, tool_use_id = null, result, now }: NewResult,
): Promise<string> {
  const id = uuid()
  const { source_id, source_name, tool, text, cut, failed } = result
  await createToolResultsRepo(db).insert(
    {
      id,
      space_id,
      agent_id,
      turn_id,
      tool_use_id,
      source_id,
      source_name,
      tool,
      arguments: result.arguments,
      text,
      cut,
      failed,
    },
    now,
  )
  return id
}

export type KeepDeps = { database: Database; kinds: Kinds; writer: Writer }

/** Makes a file of a result, which search finds; the same one when there is one already. Throws a 404 `AppError`. */
export async function keepResult(
  { database, kinds, writer }: KeepDeps,
  actor: OwnerActor | SystemActor,
  id: string,
): Promise<EntityRow> {
  return await database.transaction(async (tx) => {
    const repo = createToolResultsRepo(tx)
    const result = await repo.lock(id)
    if (!result) throw notFound('tool result', id)
    const { space_id, source_name, tool, text, kept_as, created_at } = result
    const kept = kept_as && (await createEntitiesRepo(tx).find(kinds.get('source_doc'), space_id, kept_as))
    if (kept) return kept
    const row = await writer.write(
      tx,
      {
        action: 'create',
        type: 'source_doc',
        space_id,
        origin: 'mcp',
        fields: {
          title: `${source_name} › ${tool}, ${created_at.slice(0, 10)}`.slice(0, 300),
          mime: 'text/plain',
          text,
          metadata: {
            source: source_name,
            tool,
            arguments: JSON.parse(result.arguments),
            called_at: created_at,
          },
        },
      },
      { actor },
    )
    await repo.noteKept(id, row.id)
    return row
  })
}
