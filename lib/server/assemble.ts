import { join } from 'node:path'
import { createCompanionRegistry } from '../ai/agent/tools/index.ts'
import type { Deps } from '../api/deps.ts'
import { createTurnLimit } from '../api/guard.ts'
import { createAuthentication } from '../auth/authenticate.ts'
import { createOAuth } from '../auth/oauth/server/oauth.ts'
import { createLoadCards } from '../changes/card/load-cards.ts'
import { createChangesets } from '../changes/changesets.ts'
import { createDecisions } from '../changes/decide.ts'
import { createDraftStates } from '../changes/draft-states.ts'
import { createPreviews } from '../changes/preview.ts'
import { createRetractChange, createReviseChange } from '../changes/propose/own-drafts.ts'
import { createProposeChange, type ProposeChange } from '../changes/propose/propose.ts'
import { createWriteOrPropose } from '../changes/propose/write-or-propose.ts'
import { type Companion, createCompanion } from '../companion/companion.ts'
import { createConversations } from '../companion/conversations.ts'
import { createGlance } from '../companion/glance/glance.ts'
import { startNaming } from '../companion/naming.ts'
import { createToolServices } from '../companion/reading/tool-services.ts'
import { createResearch } from '../companion/research/research.ts'
import { createRunResearch } from '../companion/research/run-research.ts'
import { createUndo } from '../content/writes/undo.ts'
import { createWriter, type Writer, type Written } from '../content/writes/write.ts'
import { version } from '../core/version.ts'
import { createRepos } from '../db/repos/repos.ts'
import { createImportJobs } from '../files/import/job/import-jobs.ts'
import { createIndexer } from '../ops/maintenance/indexer.ts'
import { createNightlyBackup, type NightlyBackup } from '../ops/maintenance/nightly-backup.ts'
import { createStalls } from '../ops/maintenance/stalls.ts'
import { addLoadGauges } from '../ops/telemetry/load-gauges.ts'
import { createWatchTurn } from '../ops/telemetry/watch.ts'
import { createMail, type Mail } from '../outside/mail/mail.ts'
import { createReplyJob } from '../outside/mail/replies/deliver-replies.ts'
import { createProposeWithReplies } from '../outside/mail/replies/propose-with-replies.ts'
import { createAccountAccess } from '../outside/mail/sync/account-access.ts'
import { loadMcp } from '../outside/mcp/load-mcp.ts'
import { createCallRunner } from '../outside/sources/call-runner.ts'
import { createCallTool } from '../outside/sources/call-tool.ts'
import { createConnections } from '../outside/sources/connections.ts'
import { createOutsideTools } from '../outside/sources/outside-tools.ts'
import { createSourceSignIn } from '../outside/sources/sign-in/sign-in.ts'
import { createSources } from '../outside/sources/sources.ts'
import { announceUndos, createCallNotifier, createChangeNotifier } from '../space/live/live.ts'
import { createSpaces } from '../space/spaces.ts'
import { type Base, createBase } from './base.ts'
import { type Config, draftLimits, turnLimits } from './config.ts'
import { internet, type Parts } from './parts.ts'

/** Wires the parts of one Void together, over a database that is migrated. Starts nothing. */
export function assemble(config: Config, parts: Parts): Deps {
  const base = createBase(config, parts)
  const { database, kinds, threads, live, secrets, embedding, search, ai, telemetry, logger, now } = base
  const { models, sideModels, budget, prices } = ai
  const { searchLanguages: languages } = config
  const onWrite = (data: Written) => live.publish({ type: 'entity', data })
  const writer = createWriter({ kinds, search, now, onWrite })
  const effects = effectsOf(config, parts, base)
  const { loadCards, states, proposeChange, reviseChange, retractChange } = draftsOf(config, base, effects)
  const { sources, connections, callTool, callRunner } = effects
  const outsideTools = createOutsideTools({ database, callTool, proposeChange, sources, now })
  const mail = mailOf(parts, base, effects)
  const services = createToolServices({
    database,
    kinds,
    threads,
    search,
    proposeChange: createProposeWithReplies({ database, proposeChange }),
    reviseChange,
    retractChange,
    outsideTools,
    mail,
  })
  const registry = parts.registry ?? createCompanionRegistry(kinds.all)
  const companion = createCompanion({
    database,
    kinds,
    threads,
    loadCards,
    registry,
    services,
    models,
    sideModels,
    budget,
    runResearch: createRunResearch({
      database,
      kinds,
      search,
      outsideTools,
      threads,
      proposeChange,
      sideModels,
      budget,
      prices,
      logger,
    }),
    ...turnLimits(config),
    watchTurn: createWatchTurn(telemetry),
    onTurn: (data) => live.publish({ type: 'turn', data }),
    logger,
    now,
  })
  startNaming({ database, models, sideModels, live, logger, quietMs: parts.namingQuietMs })
  const indexer = createIndexer({
    database,
    kinds,
    search,
    logger,
    now,
    isBusy: () => companion.runningTurns() > 0,
  })
  const backup = parts.backup ?? backupOf(config, base)
  addLoadGauges(telemetry.metrics, { database, companion, indexer, embedding, backup })

  return {
    database,
    repos: createRepos(database),
    kinds,
    threads,
    secrets,
    search,
    indexing: { embedding, indexer },
    content: contentOf(config, base, { writer, proposeChange, companion, mail }),
    changes: {
      loadCards,
      proposeChange,
      reviseChange,
      retractChange,
      writeOrPropose: createWriteOrPropose({ database, writer, proposeChange }),
      decisions: createDecisions({ database, kinds, writer, threads, loadCards, states, languages }),
      changesets: createChangesets({ database, kinds, writer, threads, loadCards, states, languages }),
      previews: createPreviews({ database, kinds, now }),
    },
    companion,
    research: createResearch({ database, threads, logger }),
    ai,
    sources,
    connections,
    outsideTools,
    callRunner,
    mail,
    glance: createGlance({
      database,
      kinds,
      registry,
      services,
      models,
      sideModels,
      budget,
      prices,
      agent: companion.agent,
      publish: live.publish,
      analystMs: parts.analystMs,
      logger,
      now,
    }),
    server: {
      version,
      dataFolder: config.dataDir,
      publicUrl: config.publicUrl,
      trashDays: config.trashDays,
      authentication: createAuthentication({
        database,
        ownerToken: parts.ownerToken,
        metricsToken: config.metricsToken,
        now,
      }),
      limitTurns: createTurnLimit(config.turnsPerMinute),
      live,
      telemetry,
      stalls: createStalls(logger, now),
      backup,
      mcp: loadMcp({ database, kinds, services, live, logger, version }),
      oauth: createOAuth({ database, logger, now, network: parts.clientNetwork }),
      loadExternalImage: parts.loadExternalImage ?? internet.loadExternalImage,
      logger,
      now,
    },
  }
}

function backupOf(config: Config, base: Base): NightlyBackup | null {
  if (!config.backupDir) return null
  const options = { folder: config.dataDir, target: config.backupDir, keep: config.backupKeep }
  if (base.database.engine === 'pglite') return createNightlyBackup({ ...base, ...options })
  base.logger.warn('BACKUP_DIR applies to the embedded database only; back up Postgres with pg_dump')
  return null
}

/** What carries out approved effects outside of Void: calls of tools, replies to mail. */
function effectsOf(config: Config, parts: Parts, base: Base) {
  const { database, kinds, secrets, scrubber, live, logger, now } = base
  const { dataDir: dataFolder } = config
  const signIn = createSourceSignIn({ database, secrets, logger, now, resolve: parts.resolveHost })
  const connections = createConnections({ ...base, authorize: signIn.authorize, dataFolder, version })
  const callTool = createCallTool({ database, connections, ...scrubber, now, callMs: parts.callMs })
  const onEnd = createCallNotifier(database, live, logger)
  const access = createAccountAccess({ database, secrets, scrubber, now })
  return {
    sources: createSources({ ...base, connections, signIn, secrets: secrets.ofSources, dataFolder }),
    connections,
    callTool,
    callRunner: createCallRunner({ database, kinds, callTool, logger, now, onEnd }),
    access,
    replyJob: createReplyJob({
      database,
      access,
      connect: parts.connectDrafts ?? internet.connectDrafts,
      onEnd,
      retryMs: parts.mailRetryMs,
      settleMs: parts.mailSettleMs,
      logger,
      now,
    }),
  }
}

type Effects = ReturnType<typeof effectsOf>

function draftsOf(config: Config, base: Base, { callRunner, replyJob }: Effects) {
  const { database, kinds, threads, live, logger } = base
  const languages = config.searchLanguages
  const loadCards = createLoadCards({ kinds, threads })
  const notify = createChangeNotifier(database, live, logger)
  const states = createDraftStates((tx, change) => {
    notify(tx, change)
    if (change.status !== 'approved') return
    if (change.action === 'call') tx.afterCommit(callRunner.kick, 'calls')
    if (change.entity_type === 'reply') tx.afterCommit(replyJob.kick, 'replies')
  })
  const limits = draftLimits(config)
  const proposeChange = createProposeChange({
    database,
    kinds,
    loadCards,
    threads,
    states,
    languages,
    limits,
  })
  return {
    loadCards,
    states,
    proposeChange,
    reviseChange: createReviseChange(database, proposeChange),
    retractChange: createRetractChange({ database, loadCards, states }),
  }
}

function mailOf(parts: Parts, base: Base, { access, replyJob }: Effects): Mail {
  const { database, search, secrets, live, logger, now } = base
  return createMail({
    database,
    search,
    secrets,
    access,
    replyJob,
    connect: parts.connectMail ?? internet.connectMail,
    discovery: parts.mailDiscovery ?? internet.mailDiscovery,
    retryMs: parts.mailRetryMs,
    onNews: (space_id) => live.publish({ type: 'mail', data: { space_id } }),
    logger,
    now,
  })
}

type ContentParts = {
  writer: Writer
  proposeChange: ProposeChange
  companion: Companion
  mail: Mail
}

function contentOf(
  config: Config,
  { database, kinds, threads, live, search, logger, now }: Base,
  { writer, proposeChange, companion, mail }: ContentParts,
): Deps['content'] {
  const importFolder = join(config.dataDir, 'imports')
  return {
    writer,
    undo: announceUndos(createUndo({ database, kinds, writer, threads, now }), { database, live }),
    imports: createImportJobs({
      database,
      kinds,
      writer,
      search,
      threads,
      proposeChange,
      importFolder,
      importMail: mail.importMail,
      logger,
      now,
    }),
    importFolder,
    spaces: createSpaces({ database, live, now }),
    conversations: createConversations({ database, live, companion }),
  }
}
