import { type ChildServer, startChildServer } from './child-server.ts'
import { makeDataFolder, makeSpaces, startVoid } from './spaces.ts'

/** A server under measurement and the paths that take a turn; the bare loop has one path for all. */
export type Contender = { server: ChildServer; paths: readonly string[] }

export type TurnServers = { bare: Contender; ours: Contender }

/** Runs `work` with the fake model, the bare loop and Void (with that many Spaces), each in its own process. */
export async function withTurnServers<Result>(
  spaces: { count: number; pages?: number },
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
    const bareUrl = new URL('./bare-loop.ts', import.meta.url)
    const bare = keep(await startChildServer(bareUrl, { MODEL_URL: model.url }))
    const ours = keep(await startVoid(data.folder, model.url))
    const paths = await makeSpaces(ours.url, spaces.count, spaces.pages)
    return await work({
      bare: { server: bare, paths: paths.map(() => `${bare.url}/turn`) },
      ours: { server: ours, paths },
    })
  } finally {
    for (const server of running.toReversed()) await server.stop()
    data.remove()
  }
}
