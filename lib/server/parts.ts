// What a Void runs on, beside its settings.

import type { ToolRegistry } from '../ai/agent/registry.ts'
import type { ModelProvider } from '../ai/models/model-provider.ts'
import type { Keyring } from '../auth/secrets/master-key.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { Logger } from '../core/logger.ts'
import type { Network as FetchNetwork, Resolve } from '../core/net/safe-fetch.ts'
import { version } from '../core/version.ts'
import type { Database } from '../db/pool.ts'
import type { TextThreads } from '../jobs/workers/text-threads.ts'
import type { NightlyBackup } from '../ops/maintenance/nightly-backup.ts'
import type { Telemetry } from '../ops/telemetry/telemetry.ts'
import { type DiscoveryNetwork, internet as mailServers } from '../outside/mail/discovery.ts'
import { type ConnectDrafts, createConnectDrafts } from '../outside/mail/replies/deliver-replies.ts'
import { createConnectImap } from '../outside/mail/sync/imap-server.ts'
import type { ConnectMailServer } from '../outside/mail/sync/mail-server.ts'
import { type LoadExternalImage, loadExternalImage } from '../outside/sources/external-image.ts'

/** The dependencies of `assemble`. What is optional has a default that the server uses and tests replace by name. */
export type Parts = {
  database: Database
  ownerToken: string
  keyring: Keyring
  logger: Logger
  now?: () => Date
  kinds?: Kinds
  /** Default: no traces. */
  telemetry?: Telemetry
  threads?: TextThreads
  /** Default: that of the configuration. */
  backup?: NightlyBackup
  /** Default: the models of the configuration, or of Settings. */
  models?: ModelProvider
  /** Opens the store in which models are tried. Default: an embedded one in the data folder. */
  openTrialStore?: OpenTrialStore
  /** The companion's tools. */
  registry?: ToolRegistry
} & Partial<Network & Timing>

/** Opens a migrated, empty store in which a model is tried. */
export type OpenTrialStore = () => Promise<{ database: Database; remove: () => Promise<void> }>

/** What is outside of this machine. */
export type Network = {
  connectMail: ConnectMailServer
  connectDrafts: ConnectDrafts
  mailDiscovery: DiscoveryNetwork
  loadExternalImage: LoadExternalImage
  /** Host names of sources. Default: DNS. */
  resolveHost?: Resolve
  /** OAuth client documents. Default: HTTPS. */
  clientNetwork?: Partial<FetchNetwork>
}

export const internet: Network = {
  connectMail: createConnectImap({ version }),
  connectDrafts: createConnectDrafts({ version }),
  mailDiscovery: mailServers,
  loadExternalImage,
}

/** In milliseconds. Default: what the part itself says. */
type Timing = {
  /** How long a call of an outside tool may take. */
  callMs: number
  /** Wall clock of the glance’s analyst. */
  analystMs: number
  /** How long a conversation is quiet before it is described. */
  namingQuietMs: number
  /** Before the first retry of a mail server, and of a reply. */
  mailRetryMs: number
  /** In which a server may still be taking what an attempt sent that was cut off. */
  mailSettleMs: number
}
