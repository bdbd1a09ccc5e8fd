import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ownEvents, uiMessageStream, type Wire } from './answer.ts'
import { type ChildServer, startChildServer } from './child-server.ts'
import { freshPostgres } from './fresh-postgres.ts'
import { makeDataFolder, makeSpaces, startVoid } from './spaces.ts'

/** A server under measurement and the paths that take a turn; those that store nothing have one path for all. */
export type Contender = { server: ChildServer; paths: readonly string[]; wire: Wire }

/**
 * `postgres`: Void on a database of its own on the Postgres of TEST_DATABASE_URL, where that is set and it is asked for.
 * Frameworks by the names of their packages; none unless they are asked for.
 */
export type TurnServers = {
  bare: Contender
  ours: Contender
  /** Void, whose model is asked in Chat Completions. */
  chat: Contender | null
  postgres: Contender | null
  frameworks: Record<string, Contender>
}

type Wanted = { count: number; pages?: number; frameworks?: boolean; postgres?: boolean; chat?: boolean }

const frameworksFolder = new URL('./frameworks/', import.meta.url)

/** What they are made of is in no other install. */
function installFrameworks(): void {
  if (existsSync(new URL('node_modules', frameworksFolder))) return
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: fileURLToPath(frameworksFolder), stdio: 'inherit' })
}

/** Runs `work` with the fake model, the bare loop and Void (with that many Spaces), each in its own process. */
export async function withTurnServers<Result>(
  spaces: Wanted,
  work: (servers: TurnServers) => Promise<Result>,
): Promise<Result> {
  const data = [makeDataFolder(), makeDataFolder(), makeDataFolder()] as const
  const running: ChildServer[] = []
  const url = spaces.postgres ? process.env.TEST_DATABASE_URL : undefined
  const fresh = url ? await freshPostgres(url) : null
  const keep = (server: ChildServer) => {
    running.push(server)
    return server
  }
  try {
    const model = keep(await startChildServer(new URL('./fake-model.ts', import.meta.url)))
    const startOurs = async (folder: string, settings: Record<string, string>): Promise<Contender> => {
      const server = keep(await startVoid(folder, model.url, settings))
      return { server, paths: await makeSpaces(server.url, spaces.count, spaces.pages), wire: ownEvents }
    }
    const ours = await startOurs(data[0].folder, {})
    const postgres = fresh && (await startOurs(data[1].folder, { DATABASE_URL: fresh.url }))
    const chat = spaces.chat ? await startOurs(data[2].folder, { MODEL_WIRE: 'chat' }) : null
    const startBeside = async (script: URL, wire: Wire): Promise<Contender> => {
      const server = keep(await startChildServer(script, { MODEL_URL: model.url }))
      return { server, paths: ours.paths.map(() => `${server.url}/turn`), wire }
    }
    const bare = await startBeside(new URL('./bare-loop.ts', import.meta.url), ownEvents)
    const frameworks: Record<string, Contender> = {}
    if (spaces.frameworks) {
      installFrameworks()
      frameworks.ai = await startBeside(new URL('ai-sdk-server.ts', frameworksFolder), uiMessageStream)
      frameworks['openai-agents'] = await startBeside(
        new URL('openai-agents-server.ts', frameworksFolder),
        ownEvents,
      )
    }
    return await work({ bare, ours, chat, postgres, frameworks })
  } finally {
    for (const server of running.toReversed()) await server.stop()
    await fresh?.drop()
    for (const { remove } of data) remove()
  }
}
