import type { Database } from '../../db/pool.ts'
import { createSourceToolsRepo } from '../../db/repos/sources.ts'
import type { Connection } from './connect.ts'
import { listTools } from './list-tools.ts'

const listMs = 20_000

/**
 * Stores what the server offers now, and resolves to how many. Until the owner has set a policy, calls of the tools that
 * were there the first time wait for the owner, and those that come later are off.
 */
export async function refreshTools(
  database: Database,
  sourceId: string,
  { client }: Connection,
): Promise<number> {
  const offered = await listTools(client, listMs)
  await database.transaction(async (tx) => {
    const repo = createSourceToolsRepo(tx)
    const isFirst = (await repo.list(sourceId)).length === 0
    const tools = offered.map((tool) => ({ ...tool, policy: isFirst ? ('ask' as const) : ('off' as const) }))
    await repo.storeOffered(sourceId, tools)
  })
  return offered.length
}
