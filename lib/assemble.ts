import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolRegistry } from './ai/agent/registry.ts'
import { createCompanionRegistry } from './ai/agent/tools/index.ts'
import type { ModelProvider } from './ai/models/model-provider.ts'
import { createSideModels } from './ai/models/side-models.ts'
import type { Deps } from './api/deps.ts'
import { createTurnLimit } from './api/limits/limiter.ts'
import { createDrillGuard } from './attention/drill-guard.ts'
import { createDrills } from './attention/drills.ts'
import { createAuthentication } from './auth/authenticate.ts'
import { createLoadCards } from './changes/card/load-cards.ts'
import { createChangesets } from './changes/changesets.ts'
import { createDecisions } from './changes/decide.ts'
import { createRecheckQuotes } from './changes/grounding/recheck-quotes.ts'
import { createLedger, type Ledger } from './changes/ledger.ts'
import { createPreviews } from './changes/preview.ts'
import type { DraftLimits } from './changes/propose/draft-limits.ts'
import { createProposeChange, type ProposeChange } from './changes/propose/propose.ts'
import { createReviseChange } from './changes/propose/revise.ts'
import { createWriteOrPropose } from './changes/propose/write-or-propose.ts'
import { createRetractChange } from './changes/retract.ts'
import { createCompanion } from './companion/companion.ts'
import { createConversations } from './companion/conversations.ts'
import { startNaming } from './companion/naming/start-naming.ts'
import { createToolServices } from './companion/reading/tool-services.ts'
import type { Database } from './db/pool.ts'
import { createConfiguredEmbedding } from './embed/configured-embedding.ts'
import type { EmbeddingSettings } from './embed/embedder.ts'
import type { Kinds } from './entities/kinds.ts'
import { createGlance } from './glance/glance.ts'
import { createImportJobs } from './import/job/import-jobs.ts'
import { type AfterCommit, createAfterCommit } from './live/after-commit.ts'
import { announceUndos, announceWrites, createCallNotifier, createChangeNotifier } from './live/announce.ts'
import { createLive, type Live } from './live/live.ts'
import type { Logger } from './logger.ts'
import { createMail, type Mail } from './mail/mail.ts'
import { createConnectImap } from './mail/sync/imap-server.ts'
import type { ConnectMailServer } from './mail/sync/mail-server.ts'
import { createIndexer } from './maintenance/indexer.ts'
import { createStalls } from './maintenance/stalls.ts'
import type { Mcp } from './mcp/endpoint.ts'
import { loadMcp } from './mcp/load-mcp.ts'
import type { Network } from './oauth/client-document/fetch-document.ts'
import { createOAuth, type OAuth } from './oauth/server/oauth.ts'
import { createRepos } from './repos.ts'
import { createResearch } from './research/research.ts'
import { createRunResearch } from './research/run-research.ts'
import type { Language } from './search/languages.ts'
import { createSearch, type Search } from './search/search.ts'
import { createTemporaryKeyring } from './secrets/master-key.ts'
import { createReadVaultField } from './secrets/password-manager.ts'
import { createSecrets, type Secrets } from './secrets/secrets.ts'
import { type CallRunner, createCallRunner } from './sources/call-runner.ts'
import { type CallTool, createCallTool } from './sources/call-tool.ts'
import { type Connections, createConnections } from './sources/connections.ts'
import { createOutsideTools } from './sources/outside-tools.ts'
import type { Resolve } from './sources/sign-in/outgoing-fetch.ts'
import { createSourceSignIn, type SourceSignIn } from './sources/sign-in/sign-in.ts'
import { createSources } from './sources/sources.ts'
import { createSpaces } from './spaces/spaces.ts'
import { createDailyBudget } from './usage/budget.ts'
import { listPrices, type Prices } from './usage/prices.ts'
import { type Compute, createCompute } from './workers/compute.ts'
import { createTextThreads, type TextThreads } from './workers/text-threads.ts'
import { createUndo } from './writes/undo.ts'
import { createWriter } from './writes/write.ts'

export type Parts = {
  database: Database
  kinds: Kinds
  models: ModelProvider
  ownerToken: string
  logger: Logger
  now: () => Date
  publicUrl?: string | null
  /** 30 when left out, as in the configuration. */
  trashDays?: number
  /** None when left out. */
  draftLimits?: DraftLimits
  /** English when left out. */
  searchLanguages?: readonly Language[]
  /** Where files wait that were handed over for an import; left out: in the system's folder for what is temporary. */
  importFolder?: string
  /** The system's folder for what is temporary when left out. */
  dataFolder?: string
  /** None when left out: search is by words alone. */
  embedding?: EmbeddingSettings | null
  /** Left out: with a key of this process, so that they end with it. */
  secrets?: Secrets
  /** Prices beside or in place of the list prices. */
  prices?: Prices
  /** How long a conversation is quiet before it is described, in milliseconds; left out: as startNaming has it. */
  namingQuietMs?: number
  /** No limit when left out. */
  dailyTokens?: number | null
  version: string
  /** Left out: threads of its own. */
  threads?: TextThreads
  /** Turns that run at once; left out: 512. */
  maxTurns?: number
  /** Messages of the owner; any number when left out. */
  turnsPerMinute?: number | null
  /** Where programs that ask to be connected have their documents; left out: the internet. */
  clientNetwork?: Network
  /** How long a call of an outside tool may take, in milliseconds; left out: as createCallTool has it. */
  callMs?: number
  /** The addresses of host names that sources name; left out: by DNS. */
  resolveHost?: Resolve
  /** How servers of mail are reached and tried again; left out: over IMAP, as followAccount has it. */
  mail?: { connect: ConnectMailServer; retryMs?: number }
  /** Left out: as createGlance has it. */
  glance?: { analystMs: number }
  /** The companion's tools; left out: Void's own. */
  registry?: ToolRegistry
}

/** Wires the parts of one Void together, over a database that is migrated. Starts nothing. */
export function assemble(parts: Parts): Deps {
  const { kinds, logger, now, version, importFolder = join(tmpdir(), 'void-imports') } = parts
  const { threads = createTextThreads() } = parts
  const live = liveOf(parts)
  const afterCommit = createAfterCommit(parts.database)
  const { database, compute } = createCompute(afterCommit.database, threads)
  const loadCards = createLoadCards({ kinds, threads })
  const secrets = parts.secrets ?? createTemporarySecrets(parts)
  const calls = callsOf(parts, { database, secrets, live })
  const ledger = ledgerOf(parts, { live, afterCommit, compute, ...calls })
  const embedding = embeddingOf(parts, database, secrets)
  const search = createSearch({ db: database, kinds, languages: parts.searchLanguages, embedding })
  const writer = announceWrites(createWriter({ kinds, search, now }), live, afterCommit)
  const drafting = { database, kinds, loadCards, compute, ledger, ...limitsOf(parts) }
  const drafts = draftsOf(drafting)
  const { proposeChange } = drafts
  const outward = sourcesOf(parts, database, { ...calls, proposeChange })
  const reading = { ...drafting, ...outward, threads, search }
  const services = createToolServices({ ...reading, ...drafts })
  const ai = aiOf(parts, database)
  const registry = parts.registry ?? createCompanionRegistry(kinds.all)
  const common = { database, kinds, logger, now }
  const companion = createCompanion({
    ...common,
    runResearch: createRunResearch({ ...common, ...ai, ...outward, search, threads, proposeChange }),
    ...{ ...ai, registry, services, loadCards, threads },
    maxTurns: parts.maxTurns ?? 512,
    onTurn: (data) => live.publish({ type: 'turn', data }),
  })

  startNaming({ ...ai, database, live, logger, quietMs: parts.namingQuietMs })
  const writing = { ...common, writer, search, compute }
  const looking = { ...common, ...ai, agent: companion.agent }
  const imports = createImportJobs({ ...writing, proposeChange, importFolder })
  const deciding = { ...writing, loadCards, ledger, beforeApply: createDrillGuard({ ledger }) }

  return {
    repos: createRepos(database),
    ...{ database, kinds, threads, compute, search, secrets },
    indexing: {
      embedding,
      indexer: createIndexer({ ...parts, database, search, isBusy: () => companion.runningTurns() > 0 }),
    },
    content: {
      writer,
      undo: announceUndos(createUndo(writing), { database, live }),
      ...{ imports, importFolder },
      spaces: createSpaces({ database, live, now }),
      conversations: createConversations({ database, live, companion }),
    },
    changes: {
      ...{ loadCards, ...drafts },
      writeOrPropose: createWriteOrPropose({ database, writer, proposeChange }),
      decisions: createDecisions(deciding),
      changesets: createChangesets(deciding),
      previews: createPreviews(writing),
      drills: createDrills({ database, ledger, now }),
    },
    companion,
    research: createResearch({ database, threads, logger }),
    ...outward,
    mail: mailOf(parts, { database, secrets, search, live }),
    glance: createGlance({ ...looking, registry, services, publish: live.publish, ...parts.glance }),
    ai,
    server: serverOf(parts, live, {
      mcp: loadMcp({ database, kinds, services, live, logger, version }),
      oauth: createOAuth({ database, logger, now, network: parts.clientNetwork }),
    }),
  }
}

function draftsOf(drafting: Parameters<typeof createProposeChange>[0]) {
  const proposeChange = createProposeChange(drafting)
  return {
    proposeChange,
    retractChange: createRetractChange(drafting),
    reviseChange: createReviseChange(drafting.database, proposeChange),
  }
}

function aiOf({ models, logger, now, prices = new Map(), dailyTokens = null }: Parts, database: Database) {
  const budget = createDailyBudget({ database, dailyTokens, now })
  const sideModels = createSideModels({ database, models, budget, logger })
  return { models, sideModels, budget, prices: new Map([...listPrices, ...prices]) }
}

const serverOf = (parts: Parts, live: Live, agents: { mcp: Mcp; oauth: OAuth }): Deps['server'] => ({
  ...agents,
  version: parts.version,
  dataFolder: parts.dataFolder ?? tmpdir(),
  publicUrl: parts.publicUrl ?? null,
  trashDays: parts.trashDays ?? 30,
  authentication: createAuthentication(parts),
  limitTurns: createTurnLimit(parts.turnsPerMinute ?? null),
  live,
  stalls: createStalls(parts.logger, parts.now),
  logger: parts.logger,
  now: parts.now,
})

const liveOf = ({ version, database: { notifications } }: Parts): Live =>
  createLive({ boot: randomUUID().slice(0, 8), version, notifications })

type LedgerParts = { live: Live; afterCommit: AfterCommit; compute: Compute; callRunner: CallRunner }

function ledgerOf(
  { kinds, logger, searchLanguages = ['english'] }: Parts,
  { live, afterCommit, compute, callRunner }: LedgerParts,
): Ledger {
  const notify = createChangeNotifier(afterCommit, live, logger)
  return createLedger({
    onChange(tx, change) {
      notify(tx, change)
      const isApprovedCall = change.action === 'call' && change.status === 'approved'
      if (isApprovedCall) afterCommit.queue(tx, callRunner.kick, 'calls')
    },
    recheckQuotes: createRecheckQuotes({ kinds, compute }, searchLanguages),
  })
}

const limitsOf = ({ draftLimits: limits, searchLanguages: languages }: Parts) => ({ limits, languages })

type Calls = {
  connections: Connections
  signIn: SourceSignIn
  callTool: CallTool
  callRunner: CallRunner
}

/** What makes approved calls of outside tools. */
function callsOf(
  parts: Parts,
  { database, secrets, live }: { database: Database; secrets: Secrets; live: Live },
): Calls {
  const { kinds, logger, now, version } = parts
  const signIn = createSourceSignIn({ database, secrets, logger, now, resolve: parts.resolveHost })
  const { authorize } = signIn
  const connections = createConnections({ secrets, authorize, dataFolder: parts.dataFolder, version })
  const callTool = createCallTool({ database, connections, now, callMs: parts.callMs })
  const onEnd = createCallNotifier(database, live, logger)
  const callRunner = createCallRunner({ database, kinds, callTool, logger, now, onEnd })
  return { connections, signIn, callTool, callRunner }
}

function sourcesOf(
  parts: Parts,
  database: Database,
  { connections, signIn, callTool, callRunner, proposeChange }: Calls & { proposeChange: ProposeChange },
): Pick<Deps, 'sources' | 'connections' | 'outsideTools' | 'callRunner'> {
  const { dataFolder, now } = parts
  const sources = createSources({ database, connections, signIn, dataFolder, now })
  const outsideTools = createOutsideTools({ database, callTool, proposeChange, sources, now })
  return { connections, sources, outsideTools, callRunner }
}

function mailOf(
  { logger, now, version, mail = { connect: createConnectImap({ version }) } }: Parts,
  { database, secrets, search, live }: { database: Database; secrets: Secrets; search: Search; live: Live },
): Mail {
  const onNews = (space_id: string) => live.publish({ type: 'mail', data: { space_id } })
  return createMail({ database, secrets, search, logger, now, ...mail, onNews })
}

const createTemporarySecrets = ({ database, logger, now }: Parts): Secrets =>
  createSecrets({
    ...{ database, logger, now },
    keyring: createTemporaryKeyring(),
    readVaultField: createReadVaultField(),
  })

/** `null`: search is by words only. */
function embeddingOf({ embedding: settings, logger, now }: Parts, database: Database, secrets: Secrets) {
  const readKey = () => secrets.current(settings?.apiKey ?? null)
  return settings ? createConfiguredEmbedding({ database, logger, now, settings, readKey }) : null
}
