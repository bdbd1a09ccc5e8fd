// Kills a server again and again in the middle of turns, and counts what that cost. Each round: turns are begun, the
// server is killed at a named point or a random moment, another one starts on the same database, and what was
// acknowledged has to be there, once, and to come to an end. Or it is the database that is restarted, at a random
// moment, under a server that stays.

import { exec } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { databaseEnv } from '../../helpers/direct-url.ts'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'
import { type CrashClient, createTurnClient, type StartedTurn } from './crash-client.ts'
import { finalText, startCrashModel } from './crash-model.ts'
import { killPoints } from './kill-points.ts'

export type CrashOptions = {
  kills: number
  /** A Postgres server and database; left out: PGlite. */
  databaseUrl?: string | undefined
  /** A command that restarts the database and returns when it is back: that is done instead of killing the server. */
  restartDatabase?: string | undefined
  /** Fills the data folder before the first start; left out: the server does it all. */
  prepareFolder?: (folder: string) => void
  log?: (message: string) => void
  /** Told after each kill. */
  onKill?: (report: CrashReport) => void
}

export type CrashReport = {
  kills: number
  byPoint: Record<string, number>
  acknowledged: number
  /** Turns that had ended before the database went. */
  endedBefore: number
  /** Turns that were answered whole, however often they were taken up. */
  answered: number
  /** Turns that ended otherwise, with their text kept. */
  failed: number
  lost: number
  duplicated: number
  /** Turns behind which the conversation did not go on. */
  bricked: number
  draftsDuplicated: number
  /** Turns that had not ended ten seconds after the next server, or the database, was there. */
  late: number
  /** Of those, turns that had not ended a minute later either. */
  stuck: number
  /** The longest that one took, in milliseconds. */
  slowestMs: number
  /** What the model found wrong with a history, such as a call without its result. */
  refusals: string[]
}

const run = promisify(exec)
const killAt = new URL('./kill-at.ts', import.meta.url)

const turnsPerRound = 3
const deadlineMs = 10_000
const stuckMs = 60_000
/** The longest that a round is waited for when its point does not come. */
const roundMs = 4000

const empty = (): CrashReport => ({
  kills: 0,
  byPoint: {},
  acknowledged: 0,
  endedBefore: 0,
  answered: 0,
  failed: 0,
  lost: 0,
  duplicated: 0,
  bricked: 0,
  draftsDuplicated: 0,
  late: 0,
  stuck: 0,
  slowestMs: 0,
  refusals: [],
})

export async function crashLoop({
  kills,
  databaseUrl,
  restartDatabase,
  prepareFolder = () => {},
  log = () => {},
  onKill = () => {},
}: CrashOptions): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'void-crash-'))
  prepareFolder(folder)
  const model = await startCrashModel()
  const client = createTurnClient()
  const report: CrashReport = { ...empty(), refusals: model.refusals }
  const env = {
    DATA_DIR: folder,
    OWNER_TOKEN: client.token,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'crash',
    ROUTER_MODEL: 'none',
    ...databaseEnv(databaseUrl),
  }
  const start = () => startVoidProcess(env, { preload: killAt })

  let server = await start()
  try {
    while (report.kills < kills) {
      if (restartDatabase) {
        await restart(server, client, restartDatabase, report)
      } else {
        const turns = await crash(server, client, pointOf(report.kills), report)
        server = await start()
        await check(server.url, client, { turns, since: performance.now() }, report)
      }
      log(`${report.kills} of ${kills}: ${summaryOf(report)}`)
      onKill(report)
    }
    return report
  } finally {
    server.kill()
    await server.gone
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every point once, and then every point in turn with as many random moments. */
function pointOf(round: number): string | null {
  if (round < killPoints.length) return killPoints[round]!.name
  const later = round - killPoints.length
  return later % 2 === 0 ? null : killPoints[Math.floor(later / 2) % killPoints.length]!.name
}

async function crash(
  server: VoidProcess,
  client: CrashClient,
  point: string | null,
  report: CrashReport,
): Promise<StartedTurn[]> {
  const prepared = await prepareTurns(server, client)
  if (point) server.send(point)
  const started = prepared.map((turn) => client.begin(server.url, turn))
  const patience = new AbortController()
  const moment = point ? roundMs : Math.random() * 800
  await Promise.race([server.gone, delay(moment, undefined, { signal: patience.signal })])
  patience.abort()
  server.kill()
  await server.gone
  count(report, point ?? 'a random moment')
  return await Promise.all(started)
}

async function restart(
  server: VoidProcess,
  client: CrashClient,
  command: string,
  report: CrashReport,
): Promise<void> {
  const started = (await prepareTurns(server, client)).map((turn) => client.begin(server.url, turn))
  let ended = 0
  for (const turn of started) void turn.then(() => (ended += 1))
  await delay(Math.random() * 800)
  report.endedBefore += ended
  await run(command, { timeout: stuckMs })
  const since = performance.now()
  count(report, 'the database')
  await check(server.url, client, { turns: await Promise.all(started), since }, report)
}

const prepareTurns = ({ url }: VoidProcess, client: CrashClient) =>
  Promise.all(Array.from({ length: turnsPerRound }, () => client.prepare(url)))

function count(report: CrashReport, name: string): void {
  report.kills += 1
  report.byPoint[name] = (report.byPoint[name] ?? 0) + 1
}

/** `since`: when there was again what had gone, by the monotonic clock. */
async function check(
  url: string,
  client: CrashClient,
  { turns, since }: { turns: readonly StartedTurn[]; since: number },
  report: CrashReport,
): Promise<void> {
  for (const turn of turns) {
    if (!turn.turnId) continue
    report.acknowledged += 1
    const inTime = await client.whenEnded(url, turn.turnId, since + deadlineMs)
    const end = inTime ?? (await client.whenEnded(url, turn.turnId, performance.now() + stuckMs))
    if (!inTime) report.late += 1
    if (!end) {
      report.stuck += 1
      continue
    }
    report.slowestMs = Math.max(report.slowestMs, performance.now() - since)
    const { questions, answers, drafts } = await client.look(url, turn)
    if (questions.length === 0 || answers.length === 0) report.lost += 1
    if (questions.length > 1 || answers.length > 1) report.duplicated += 1
    if (end === 'done' && answers[0]?.endsWith(finalText)) report.answered += 1
    else report.failed += 1
    if (drafts > 1) report.draftsDuplicated += 1
  }
  const kept = turns.filter(({ turnId }) => turnId !== null)
  const goingOn = await Promise.all(kept.map((turn) => client.goOn(url, turn)))
  report.bricked += goingOn.filter((goesOn) => !goesOn).length
}

const summaryOf = ({
  acknowledged,
  answered,
  failed,
  lost,
  duplicated,
  draftsDuplicated,
  late,
  stuck,
}: CrashReport) =>
  `${acknowledged} turns, ${answered} answered, ${failed} failed, ${lost} lost, ${duplicated} doubled, ` +
  `${draftsDuplicated} drafts doubled, ${late} late, ${stuck} stuck`
