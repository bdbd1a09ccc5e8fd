import type { ToolServices } from '../ai/agent/services.ts'
import type { Database } from '../db/pool.ts'
import type { Kinds } from '../entities/kinds.ts'
import type { Live } from '../live/live.ts'
import type { Logger } from '../logger.ts'

export type McpDeps = {
  database: Database
  kinds: Kinds
  services: ToolServices
  live: Live
  logger: Logger
  version: string
}
