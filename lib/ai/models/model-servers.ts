// What servers were found to take, kept for all servers of the database.

import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createModelSettingsRepo } from '../../db/repos/secrets.ts'
import { type Abilities, allAbilities, unknownAbilities } from '../adapt/abilities.ts'
import { requestParts } from '../model.ts'
import { isAnthropic, withoutCredentials } from '../wires/server-address.ts'
import type { WireName } from '../wires/wire.ts'

type ServerOf = { wire: WireName; baseUrl: string | null; model: string }

export type ModelServers = {
  /** What is known of it by now. */
  abilities(server: ServerOf): Abilities
  /** Resolves when it is stored. */
  learn(server: ServerOf, abilities: Abilities): Promise<void>
  load(): Promise<void>
  close(): void
}

const channel = 'void_model_servers'

export function createModelServers({
  database,
  logger,
}: {
  database: Database
  logger: Logger
}): ModelServers {
  const repo = createModelSettingsRepo(database)
  let known = new Map<string, Abilities>()
  const refresh = () =>
    void load().catch((error: unknown) => logger.warn({ err: error }, 'abilities of models not loaded'))
  const unlisten = database.notifications.listen(channel, refresh, refresh)

  return {
    abilities(server) {
      const found = known.get(keyOf(server))
      if (!isAnthropic(server.baseUrl, server.wire)) return found ?? unknownAbilities
      // Of a provider that takes everything only what it refused is kept.
      const { refused = [], maxTokens = null, blocks = true, unions } = found ?? {}
      return { ...allAbilities, refused, maxTokens, blocks, unions: unions !== false }
    },

    async learn(server, found) {
      const { wire, model } = server
      await repo.saveServer({ wire, model, address: addressOf(server), ...toRow(found) })
      await load()
      database.notifications.notify(channel, '')
    },

    load,
    close: unlisten,
  }

  async function load(): Promise<void> {
    const rows = await repo.listServers()
    known = new Map(
      rows.map(({ wire, address, model, ...found }) => [
        keyOf({ wire, baseUrl: address, model }),
        {
          blocks: found.reads_blocks,
          tools: found.calls_tools,
          several: found.calls_several,
          images: found.sees_images,
          unions: found.takes_unions,
          thinks: found.thinks,
          toolChoice: found.obeys_tool_choice,
          manyTools: found.calls_of_many,
          countsTokens: found.counts_tokens,
          refused: requestParts.filter((part) => found.refused.includes(part)),
          maxTokens: found.max_tokens,
        },
      ]),
    )
  }
}

const toRow = (found: Abilities) => ({
  reads_blocks: found.blocks,
  calls_tools: found.tools,
  calls_several: found.several,
  sees_images: found.images,
  takes_unions: found.unions,
  thinks: found.thinks,
  obeys_tool_choice: found.toolChoice,
  calls_of_many: found.manyTools,
  counts_tokens: found.countsTokens,
  refused: [...found.refused],
  max_tokens: found.maxTokens,
})

const keyOf = (server: ServerOf) => JSON.stringify([server.wire, addressOf(server), server.model])

/** Without credentials, which are no part of what a server is. */
const addressOf = ({ baseUrl }: ServerOf): string =>
  baseUrl ? new URL(withoutCredentials(baseUrl)).href : ''
