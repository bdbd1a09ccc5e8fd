import type { ToolServices } from '../../ai/agent/services.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import type { Live } from '../../space/live/live.ts'

export type McpDeps = {
  database: Database
  kinds: Kinds
  services: ToolServices
  live: Live
  logger: Logger
  version: string
}
