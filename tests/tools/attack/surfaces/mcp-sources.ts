// Sources with bad manners, over http and as programs, each used by a real server: it goes on, says at the source what is
// wrong, and lets the source be switched off.

import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { startFakeAnthropic, text, toolUse } from '../../../helpers/fake-anthropic.ts'
import { startScriptedSource } from '../../../helpers/scripted-source.ts'
import { fakeSource } from '../../../outside/sources/source-helpers.ts'
import type { Client } from '../attack-world.ts'
import type { SourceManner } from '../manners/source-manner.ts'
import { sourceManners } from '../manners/sources.ts'
import type { Surface } from '../surface.ts'
import { type WatchedVoid, watchVoid } from '../watch-void.ts'

const made = z.object({ id: z.string() })
const stateOfSource = z.object({ last_error: z.string().nullable() })

const maxWorkMs = 2500
const maxWaitMs = 500
const maxPauseMs = 1000

/** What fell, for each of the manners. */
export async function tryManners(
  { call, during }: WatchedVoid,
  all: readonly SourceManner[],
  onTried: (falls: string[]) => void,
): Promise<void> {
  const space = made.parse(await call('POST', '/api/spaces', { name: 'Skerry Light' })).id
  // What is loaded with the first source takes its time.
  await useOnce(call, space, { name: 'good manners', script: {}, calls: true })
  await useOnce(call, space, { name: 'a good program', program: {}, calls: true })
  for (const manner of all) {
    const falls: string[] = []
    const watched = await during(async () => void falls.push(...(await useOnce(call, space, manner))))
    onTried([...falls, ...watched].map((what) => `${manner.name}: ${what}`))
  }
}

async function useOnce(call: Client, space: string, manner: SourceManner): Promise<string[]> {
  const { script, program, calls = false, error } = manner
  const falls: string[] = []
  const server = script ? await startScriptedSource(script) : null
  const settings = server
    ? { name: 'Fake', transport: 'http', url: server.url }
    : fakeSource(program?.mode ?? '', program?.answer ? { ANSWER: program.answer } : {})
  const { id } = made.parse(await call('POST', `/api/spaces/${space}/sources`, settings))

  const use = async () => {
    await call('POST', `/api/sources/${id}/test`)
    if (!calls) return
    await call('PATCH', `/api/sources/${id}/tools/echo`, { policy: 'read' })
    await call('POST', `/api/spaces/${space}/companion/turn`, { text: 'Ask the source.' })
  }
  const used = use().catch(() => {})
  await Promise.race([used, wait(error ? maxWorkMs : maxWaitMs)])
  const said = stateOfSource.parse(await call('GET', `/api/sources/${id}`)).last_error
  if (error && !error.test(said ?? '')) falls.push(`the source says ${said}`)
  if ((said?.length ?? 0) > 500) falls.push('what the source says is long')
  await inTime(call('POST', `/api/spaces/${space}/pages`, { title: 'Other work' }), 'other work')
  await inTime(call('PATCH', `/api/sources/${id}`, { enabled: false }), 'switching it off')
  await inTime(call('DELETE', `/api/sources/${id}`), 'removing it')
  server?.close()
  return falls

  async function inTime(work: Promise<unknown>, what: string): Promise<void> {
    const from = performance.now()
    await work
    const ms = Math.round(performance.now() - from)
    if (ms > maxPauseMs) falls.push(`${what} took ${ms} ms`)
  }
}

/** A server whose companion calls the tool of the source in each turn. */
export async function withSources(
  databaseUrl: string | undefined,
  work: (server: WatchedVoid) => Promise<void>,
  prepareFolder?: (folder: string) => void,
): Promise<void> {
  const fake = await startFakeAnthropic(
    [
      ({ body }) =>
        body.tools && !JSON.stringify(body.messages.at(-1)).includes('"tool_result"')
          ? toolUse('call_tool', { source: 'Fake', tool: 'echo', arguments: { text: 'hello' } })
          : text('Done.'),
    ],
    { repeatLast: true },
  )
  const env = { ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'key', ROUTER_MODEL: 'none' }
  const server = await watchVoid({ databaseUrl, env, prepareFolder })
  try {
    await work(server)
  } finally {
    await server.stop()
    await fake.close()
  }
}

export const surface: Surface = {
  name: 'sources',
  attack: async ({ tried, fell }, { databaseUrl }) =>
    await withSources(databaseUrl, (server) =>
      tryManners(server, sourceManners, (falls) => {
        tried()
        for (const what of falls) fell(what)
      }),
    ),
}
