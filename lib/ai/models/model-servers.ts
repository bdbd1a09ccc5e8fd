// What servers were found to take, kept for all servers of the database.

import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createModelSettingsRepo } from '../../db/repos/secrets.ts'
import { type Abilities, allAbilities, unknownAbilities } from '../adapt/abilities.ts'
import { isAnthropic, withoutCredentials } from '../wires/server-address.ts'
import type { WireName } from '../wires/wire.ts'

type ServerOf = { wire: WireName; baseUrl: string | null; model: string }

export type ModelServers = {
  /** What is known of it by now. */
  abilities(server: ServerOf): Abilities
  /** Resolves when it is stored. Not stored for a provider that is known to take everything. */
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
    abilities: (server) =>
      known.get(keyOf(server)) ??
      (isAnthropic(server.baseUrl, server.wire) ? allAbilities : unknownAbilities),

    async learn(server, { blocks, tools, several, images }) {
      if (isAnthropic(server.baseUrl, server.wire)) return
      const { wire, model } = server
      const found = { reads_blocks: blocks, calls_tools: tools, calls_several: several, sees_images: images }
      await repo.saveServer({ wire, model, address: addressOf(server), ...found })
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
        },
      ]),
    )
  }
}

const keyOf = (server: ServerOf) => JSON.stringify([server.wire, addressOf(server), server.model])

/** Without credentials, which are no part of what a server is. */
const addressOf = ({ baseUrl }: ServerOf): string =>
  baseUrl ? new URL(withoutCredentials(baseUrl)).href : ''
