// docs/architecture.md walks a turn from the route to the stored message, file by file. This holds it to the files that
// really run: the functions called by one plain message that names no conversation, as V8 counts them, with the client
// of the Messages API that a server has.

import { readFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { startFakeAnthropic, text } from '../helpers/fake-anthropic.ts'
import { listen } from '../helpers/listen.ts'
import { takeTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'

/** Files that run by the clock, as what was spent is read, or because something else waits for the database. */
const byTheClock = /^lib\/(ops\/|db\/(?!repos\/)|db\/repos\/usage\.ts)/

/** All other files of lib/ that run between such a message and its end: what was counted, not an aim. */
const mostFiles = 102

/** Rooms of which the walk names every file: the others are what a turn stands on. */
const walked = /^lib\/(companion|ai|api\/routes)\//

const docs = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8')

/** The files that a section of the document names. */
function filesIn(heading: string): string[] {
  const section = docs.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
  return [...new Set([...section.matchAll(/`(lib\/[\w/.-]+\.ts)`/g)].map((match) => match[1]!))]
}

test(`a turn passes the files that the walk names, at most ${mostFiles} in all`, async () => {
  const fake = await startFakeAnthropic([text('Once.'), text('Twice.')])
  onTestFinished(() => fake.close())
  const { app, owner } = await buildApp({
    reachesModels: true,
    anthropicApiKey: 'sk-test',
    anthropicBaseUrl: fake.url,
    routerModel: null,
  })
  const url = await listen(app)
  const { space } = await makeWorld({ owner })
  const ask = (words: string) => takeTurn({ url, space_id: space.id, body: { text: words } })
  await ask('How often does the lamp turn?')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')

  const frames = await ask('And how often is that in an hour?')

  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const files = result
    .filter(({ functions }) => functions.some((one) => one.functionName && one.ranges[0]!.count > 0))
    .flatMap(({ url: file }) => /\/(lib\/[^?]+\.ts)/.exec(file.replace(/.*node_modules.*/, ''))?.[1] ?? [])
    .filter((file) => !byTheClock.test(file))
  const run = files.filter((file) => walked.test(file))
  const path = filesIn('A turn, file by file')
  const beside = filesIn('Beside the path')
  expect(frames.at(-1)?.type).toBe('done')
  expect(fake.requests).toHaveLength(2)
  expect(run.filter((file) => !path.includes(file) && !beside.includes(file))).toEqual([])
  expect(path.filter((file) => !run.includes(file))).toEqual([])
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(mostFiles)
})
