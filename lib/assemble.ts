import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCompanionRegistry } from './ai/agent/tools/index.ts'
import { createSideModels } from './ai/models/side-models.ts'
import type { Deps } from './api/deps.ts'
import { createTurnLimit } from './api/limits/limiter.ts'
import { createAuthentication } from './auth/authenticate.ts'
import { createLoadCards } from './changes/card/load-cards.ts'
import { createChangesets } from './changes/changesets.ts'
import { createDecisions } from './changes/decide.ts'
import { createLedger, type Ledger } from './changes/ledger.ts'
import { createPreviews } from './changes/preview.ts'
import { createProposeChange, type ProposeChange } from './changes/propose/propose.ts'
import { createReviseChange } from './changes/propose/revise.ts'
import { createWriteOrPropose } from './changes/propose/write-or-propose.ts'
import { createRetractChange } from './changes/retract.ts'
import { createCompanion } from './companion/companion.ts'
import { createConversations } from './companion/conversations.ts'
import { startNaming } from './companion/naming/start-naming.ts'
import { createToolServices } from './companion/reading/tool-services.ts'
import type { Database } from './db/pool.ts'
import type { Embedding } from './embed/embedding.ts'
import { createConfiguredEmbedding } from './embed/embedding.ts'
import { createGlance } from './glance/glance.ts'
import { createImportJobs } from './import/job/import-jobs.ts'
import type { KickedJob } from './jobs/kicked-job.ts'
import { type AfterCommit, createAfterCommit } from './live/after-commit.ts'
import { announceUndos, announceWrites, createCallNotifier, createChangeNotifier } from './live/announce.ts'
import { createLive, type Live } from './live/live.ts'
import { internet } from './mail/discovery.ts'
import { createMail, type Mail } from './mail/mail.ts'
import { createConnectDrafts, createReplyJob } from './mail/replies/deliver-replies.ts'
import { createProposeReply } from './mail/replies/propose-reply.ts'
import { type AccountAccess, createAccountAccess } from './mail/sync/account-access.ts'
import { createConnectImap } from './mail/sync/imap-server.ts'
import { createIndexer } from './maintenance/indexer.ts'
import { createStalls } from './maintenance/stalls.ts'
import type { Mcp } from './mcp/endpoint.ts'
import { loadMcp } from './mcp/load-mcp.ts'
import { createModelConnections } from './model-connection.ts'
import { createOAuth, type OAuth } from './oauth/server/oauth.ts'
import type { Parts } from './parts.ts'
import { createRepos } from './repos.ts'
import { createResearch } from './research/research.ts'
import { createRunResearch } from './research/run-research.ts'
import { createSearch, type Search } from './search/search.ts'
import { createTemporaryKeyring } from './secrets/master-key.ts'
import { createReadVaultField } from './secrets/password-manager.ts'
import { createSecrets, type Secrets } from './secrets/secrets.ts'
import { type CallRunner, createCallRunner } from './sources/call-runner.ts'
import { type CallTool, createCallTool } from './sources/call-tool.ts'
import { type Connections, createConnections } from './sources/connections.ts'
import { loadExternalImage } from './sources/external-image.ts'
import { createOutsideTools } from './sources/outside-tools.ts'
import { createSourceSignIn, type SourceSignIn } from './sources/sign-in/sign-in.ts'
import { createSources } from './sources/sources.ts'
import { createSpaces } from './spaces/spaces.ts'
import { addLoadGauges } from './telemetry/load-gauges.ts'
import { createTelemetry, type Telemetry } from './telemetry/telemetry.ts'
import { watchDatabase } from './telemetry/watch-database.ts'
import { watchModels } from './telemetry/watch-models.ts'
import { watchSearch } from './telemetry/watch-search.ts'
import { createWatchTurn } from './telemetry/watch-turns.ts'
import { createDailyBudget } from './usage/budget.ts'
import { listPrices } from './usage/prices.ts'
import { createTextThreads } from './workers/text-threads.ts'
import { followRenames } from './writes/follow-renames.ts'
import { createUndo } from './writes/undo.ts'
import { createWriter } from './writes/write.ts'

/** Wires the parts of one Void together, over a database that is migrated. Starts nothing. */
export function assemble({ telemetry = createTelemetry(), ...given }: Parts): Deps {
  const parts = watched(given, telemetry)
  const { kinds, logger, now, version, importFolder = join(tmpdir(), 'void-imports') } = parts
  const { threads = createTextThreads() } = parts
  const live = liveOf(parts)
  const afterCommit = createAfterCommit(parts.database)
  const { database } = afterCommit
  const loadCards = createLoadCards({ kinds, threads })
  const secrets = parts.secrets ?? createTemporarySecrets(parts)
  const calls = callsOf(parts, { database, secrets, live })
  const ledger = ledgerOf(parts, { live, afterCommit, ...calls })
  const embedding = embeddingOf(parts, database, secrets)
  const search = searchOf(parts, { database, embedding, telemetry })
  const writer = followRenames(announceWrites(createWriter({ kinds, search, now }), live, afterCommit), kinds)
  const drafting = { database, kinds, loadCards, threads, ledger, ...limitsOf(parts) }
  const drafts = draftsOf(drafting)
  const { proposeChange } = drafts
  const outward = sourcesOf(parts, database, { ...calls, proposeChange })
  const reading = { ...drafting, ...outward, threads, search }
  const mail = mailOf(parts, { database, secrets, search, live, ...calls })
  const reaching = { ...reading, ...drafts, mail, proposeChange: drafts.proposeReply }
  const services = createToolServices(reaching)
  const ai = aiOf(parts, database, secrets)
  const registry = parts.registry ?? createCompanionRegistry(kinds.all)
  const common = { database, kinds, logger, now }
  const companion = createCompanion({
    ...common,
    runResearch: createRunResearch({ ...common, ...ai, ...outward, search, threads, proposeChange }),
    ...{ ...ai, registry, services, loadCards, threads },
    ...{ maxTurns: parts.maxTurns ?? 512, watchTurn: createWatchTurn(telemetry) },
    onTurn: (data) => live.publish({ type: 'turn', data }),
  })

  startNaming({ ...ai, database, live, logger, quietMs: parts.namingQuietMs })
  const writing = { ...common, writer, search, threads }
  const looking = { ...common, ...ai, agent: companion.agent }
  const imports = createImportJobs({ ...writing, proposeChange, importFolder, importMail: mail.importMail })
  const deciding = { ...drafting, writer }

  const indexer = createIndexer({ ...parts, database, search, isBusy: () => companion.runningTurns() > 0 })
  addLoadGauges(telemetry.metrics, { database, companion, indexer, embedding })
  return {
    repos: createRepos(database),
    ...{ database, kinds, threads, search, secrets },
    indexing: { embedding, indexer },
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
    },
    ...{ companion, mail, ai, ...outward },
    research: createResearch({ database, threads, logger }),
    glance: createGlance({ ...looking, registry, services, publish: live.publish, ...parts.glance }),
    server: serverOf({ ...parts, telemetry }, live, {
      mcp: loadMcp({ database, kinds, services, live, logger, version }),
      oauth: createOAuth({ database, logger, now, network: parts.clientNetwork }),
    }),
  }
}

function draftsOf(drafting: Parameters<typeof createProposeChange>[0]) {
  const proposeChange = createProposeChange(drafting)
  return {
    proposeChange,
    proposeReply: createProposeReply({ database: drafting.database, proposeChange }),
    retractChange: createRetractChange(drafting),
    reviseChange: createReviseChange(drafting.database, proposeChange),
  }
}

function aiOf(parts: Parts, database: Database, secrets: Secrets) {
  const { models, logger, now, prices = new Map(), dailyTokens = null } = parts
  const { connections = createModelConnections({ database, secrets, logger }) } = parts
  const budget = createDailyBudget({ database, dailyTokens, now })
  const sideModels = createSideModels({ database, models, budget, logger })
  return { models, connections, sideModels, budget, prices: new Map([...listPrices, ...prices]) }
}

/** What of Void is timed and counted, and does not know it. */
const watched = (parts: Parts, telemetry: Telemetry): Parts => ({
  ...parts,
  database: watchDatabase(parts.database, telemetry),
  models: watchModels(parts.models, telemetry),
})

const serverOf = (
  parts: Parts & { telemetry: Telemetry },
  live: Live,
  agents: { mcp: Mcp; oauth: OAuth },
): Deps['server'] => ({
  ...agents,
  version: parts.version,
  dataFolder: parts.dataFolder ?? tmpdir(),
  publicUrl: parts.publicUrl ?? null,
  trashDays: parts.trashDays ?? 30,
  authentication: createAuthentication(parts),
  limitTurns: createTurnLimit(parts.turnsPerMinute ?? null),
  live,
  telemetry: parts.telemetry,
  stalls: createStalls(parts.logger, parts.now),
  loadExternalImage: parts.loadExternalImage ?? loadExternalImage,
  logger: parts.logger,
  now: parts.now,
})

const liveOf = ({ version, database: { notifications } }: Parts): Live =>
  createLive({ boot: randomUUID().slice(0, 8), version, notifications })

type LedgerParts = {
  live: Live
  afterCommit: AfterCommit
  callRunner: CallRunner
  replyJob: KickedJob
}

function ledgerOf({ logger }: Parts, { live, afterCommit, callRunner, replyJob }: LedgerParts): Ledger {
  const notify = createChangeNotifier(afterCommit, live, logger)
  return createLedger({
    onChange(tx, change) {
      notify(tx, change)
      const isApprovedCall = change.action === 'call' && change.status === 'approved'
      if (isApprovedCall) afterCommit.queue(tx, callRunner.kick, 'calls')
      const isApprovedReply = change.entity_type === 'reply' && change.status === 'approved'
      if (isApprovedReply) afterCommit.queue(tx, replyJob.kick, 'replies')
    },
  })
}

const limitsOf = ({ draftLimits: limits, searchLanguages: languages = ['english'] }: Parts) => ({
  limits,
  languages,
})

type Calls = {
  connections: Connections
  signIn: SourceSignIn
  callTool: CallTool
  callRunner: CallRunner
  access: AccountAccess
  replyJob: KickedJob
}

/** What carries out what was approved and is outside of Void: calls of tools, replies to mail. */
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
  const access = createAccountAccess({ secrets, now })
  const replyJob = repliesOf(parts, { database, access, live })
  return { connections, signIn, callTool, callRunner, access, replyJob }
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

type MailParts = { database: Database; access: AccountAccess; live: Live }

function mailOf(
  { logger, now, version, mailDiscovery, mail = { connect: createConnectImap({ version }) } }: Parts,
  { live, ...deps }: MailParts & { secrets: Secrets; search: Search; replyJob: KickedJob },
): Mail {
  const onNews = (space_id: string) => live.publish({ type: 'mail', data: { space_id } })
  return createMail({ ...deps, logger, now, ...mail, onNews, discovery: mailDiscovery ?? internet })
}

/** What puts approved replies into Drafts folders. */
function repliesOf({ logger, now, version, mail }: Parts, { database, access, live }: MailParts): KickedJob {
  return createReplyJob({
    ...{ database, logger, now, access },
    ...{ connect: createConnectDrafts({ version }), ...mail?.drafts },
    onEnd: createCallNotifier(database, live, logger),
  })
}

type Searching = { database: Database; embedding: Embedding | null; telemetry: Telemetry }

const searchOf = (
  { kinds, searchLanguages: languages }: Parts,
  { database: db, embedding, telemetry }: Searching,
) => watchSearch(createSearch({ db, kinds, languages, embedding }), telemetry)

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
