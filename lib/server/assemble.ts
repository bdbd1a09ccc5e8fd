import { createCompanionRegistry } from '../ai/agent/tools/index.ts'
import type { Deps } from '../api/deps.ts'
import { createTurnLimit } from '../api/guard.ts'
import { sharedPage } from '../api/web/shared-page.ts'
import { createAuthentication } from '../auth/authenticate.ts'
import { createOAuth } from '../auth/oauth/server/oauth.ts'
import { createLoadCards } from '../changes/card/load-cards.ts'
import { createChangesets } from '../changes/changesets.ts'
import { createDecisions } from '../changes/decide.ts'
import { createDraftStates } from '../changes/draft-states.ts'
import { createPreviews } from '../changes/preview.ts'
import { createRetractChange, createReviseChange } from '../changes/propose/own-drafts.ts'
import { createProposeChange } from '../changes/propose/propose.ts'
import { createWriteOrPropose } from '../changes/propose/write-or-propose.ts'
import { createCompanion } from '../companion/companion.ts'
import { createGlance } from '../companion/glance/glance.ts'
import { createMemory } from '../companion/memory/memory.ts'
import { createProposeMemory } from '../companion/memory/propose-memory.ts'
import { startNaming } from '../companion/naming.ts'
import { createToolServices } from '../companion/reading/tool-services.ts'
import { createAgentResearch } from '../companion/research/agent-research.ts'
import { createResearch } from '../companion/research/research.ts'
import { createRunResearch } from '../companion/research/run-research.ts'
import { createProposeRoutine } from '../companion/routines/propose-routine.ts'
import { createRoutines } from '../companion/routines/routines.ts'
import { createWriter, type Written } from '../content/writes/write.ts'
import { version } from '../core/version.ts'
import { createRepos } from '../db/repos/repos.ts'
import { createFolders } from '../files/folder/folders.ts'
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
import { createCallNotifier, createChangeNotifier } from '../space/live/live.ts'
import { type Base, createBase } from './base.ts'
import { type Config, draftLimits, turnLimits } from './config.ts'
import { contentOf } from './content-parts.ts'
import { internet, type Parts } from './parts.ts'
import { createServerTrial } from './trial.ts'

/** Wires the parts of one Void together, over a database that is migrated. Starts nothing. */
export function assemble(config: Config, parts: Parts): Deps {
  const base = createBase(config, parts)
  const { database, kinds, threads, live, secrets, embedding, search, ai, telemetry, logger, now } = base
  const { calendar } = base.ownerZone
  const { models, sideModels, budget, prices } = ai
  const { searchLanguages: languages } = config
  const onWrite = (data: Written) => {
    live.publish({ type: 'entity', data })
    folders.noteChange(data.kind)
  }
  const writer = createWriter({ kinds, search, calendar, onWrite })
  const effects = effectsOf(config, parts, base)
  const onDecided = (kind: string) => folders.noteChange(kind)
  const drafts = draftsOf(config, base, { ...effects, onDecided })
  const { loadCards, states, proposeChange, reviseChange, retractChange } = drafts
  const { sources, connections, callTool, callRunner } = effects
  const outsideTools = createOutsideTools({ database, callTool, proposeChange, sources, now })
  const folders = createFolders({
    ...base,
    writer,
    proposeChange,
    retractChange,
    allowed: config.folders,
    dataFolder: config.dataDir,
  })
  const { lookFirst } = folders
  const decisionDeps = { database, kinds, writer, threads, loadCards, states, languages, lookFirst }
  const mail = mailOf(parts, base, effects)
  const services = createToolServices({
    database,
    kinds,
    threads,
    search,
    proposeChange: createProposeMemory({
      ...base,
      proposeChange: createProposeRoutine({
        ...base,
        proposeChange: createProposeWithReplies({ database, proposeChange }),
      }),
    }),
    reviseChange,
    retractChange,
    outsideTools,
    mail,
  })
  const registry = parts.registry ?? createCompanionRegistry(kinds.all)
  const companion = createCompanion({
    ...base,
    loadCards,
    registry,
    services,
    models,
    sideModels,
    budget,
    prices,
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
      judge: () => (config.judgeModel === null ? null : models.current(config.judgeModel)),
      calendar,
      logger,
    }),
    ...turnLimits(config),
    watchTurn: createWatchTurn(telemetry),
    onTurn: (data) => live.publish({ type: 'turn', data }),
  })
  const research = createAgentResearch({ database, calendar, companion })
  const naming = startNaming({ database, models, sideModels, live, logger, quietMs: parts.namingQuietMs })
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
    content: contentOf(config, base, { writer, proposeChange, companion, mail, naming, folders }),
    changes: {
      loadCards,
      proposeChange,
      reviseChange,
      retractChange,
      writeOrPropose: createWriteOrPropose({ database, writer, proposeChange, lookFirst }),
      decisions: createDecisions(decisionDeps),
      changesets: createChangesets(decisionDeps),
      previews: createPreviews({ database, kinds, calendar }),
    },
    companion,
    research: createResearch({ database, threads, logger }),
    ai,
    modelTrial: createServerTrial(assemble, config, parts, base),
    sources,
    connections,
    outsideTools,
    callRunner,
    mail,
    glance: createGlance({
      ...base,
      ...ai,
      registry,
      services,
      agent: companion.agent,
      publish: live.publish,
      analystMs: parts.analystMs,
    }),
    routines: createRoutines({ ...base, ...ai, companion }),
    memory: createMemory({ database, kinds, writer, lookFirst }),
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
      mcp: loadMcp({ database, kinds, services: { ...services, research }, live, logger, version }),
      oauth: createOAuth({ database, logger, now, network: parts.clientNetwork }),
      loadExternalImage: parts.loadExternalImage ?? internet.loadExternalImage,
      logger,
      now,
      ownerZone: base.ownerZone,
      sharedPage,
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

/** `onDecided` gets the kind that a draft was of, once it waits no more. */
function draftsOf(
  config: Config,
  base: Base,
  { callRunner, replyJob, onDecided }: Effects & { onDecided: (kind: string) => void },
) {
  const { database, kinds, threads, live, logger } = base
  const languages = config.searchLanguages
  const loadCards = createLoadCards({ kinds, threads })
  const notify = createChangeNotifier(database, live, logger)
  const states = createDraftStates((tx, change) => {
    notify(tx, change)
    const { status, entity_type } = change
    if (status !== 'pending') tx.afterCommit(() => onDecided(entity_type), `decided:${entity_type}`)
    if (status !== 'approved') return
    if (change.action === 'call') tx.afterCommit(callRunner.kick, 'calls')
    if (entity_type === 'reply') tx.afterCommit(replyJob.kick, 'replies')
  })
  const limits = draftLimits(config)
  const proposeChange = createProposeChange({ ...base, loadCards, states, languages, limits })
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
