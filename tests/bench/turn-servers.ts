import { ownEvents, uiMessageStream, type Wire } from './answer.ts'
import { type ChildServer, startChildServer } from './child-server.ts'
import { makeDataFolder, makeSpaces, startVoid } from './spaces.ts'

/** A server under measurement and the paths that take a turn; those that store nothing have one path for all. */
export type Contender = { server: ChildServer; paths: readonly string[]; wire: Wire }

/** Frameworks by the names of their packages; none unless they are asked for. */
export type TurnServers = { bare: Contender; ours: Contender; frameworks: Record<string, Contender> }

/** Runs `work` with the fake model, the bare loop and Void (with that many Spaces), each in its own process. */
export async function withTurnServers<Result>(
  spaces: { count: number; pages?: number; frameworks?: boolean },
  work: (servers: TurnServers) => Promise<Result>,
): Promise<Result> {
  const data = makeDataFolder()
  const running: ChildServer[] = []
  const keep = (server: ChildServer) => {
    running.push(server)
    return server
  }
  try {
    const model = keep(await startChildServer(new URL('./fake-model.ts', import.meta.url)))
    const ours = keep(await startVoid(data.folder, model.url))
    const paths = await makeSpaces(ours.url, spaces.count, spaces.pages)
    const startBeside = async (script: URL, wire: Wire): Promise<Contender> => {
      const server = keep(await startChildServer(script, { MODEL_URL: model.url }))
      return { server, paths: paths.map(() => `${server.url}/turn`), wire }
    }
    const bare = await startBeside(new URL('./bare-loop.ts', import.meta.url), ownEvents)
    const frameworks: Record<string, Contender> = {}
    if (spaces.frameworks) {
      frameworks.ai = await startBeside(new URL('./ai-sdk-server.ts', import.meta.url), uiMessageStream)
      frameworks['openai-agents'] = await startBeside(
        new URL('./openai-agents-server.ts', import.meta.url),
        ownEvents,
      )
    }
    return await work({ bare, ours: { server: ours, paths, wire: ownEvents }, frameworks })
  } finally {
    for (const server of running.toReversed()) await server.stop()
    data.remove()
  }
}
