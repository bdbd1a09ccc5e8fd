// docs/architecture.md walks a turn from the route to the stored message, file by file. This holds it to the files that
// really run: the functions called by one plain message that names its conversation, as V8 counts them.

import { readFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { takeTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'

const docs = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8')

/** The files that a section of the document names. */
function filesIn(heading: string): string[] {
  const section = docs.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
  return [...new Set([...section.matchAll(/`(lib\/[\w/.-]+\.ts)`/g)].map((match) => match[1]!))]
}

test('a turn passes the files that the walk names, at most 25 of them', async () => {
  const { app, owner } = await buildApp({
    callModel: scriptedModel([{ text: 'Once.' }, { text: 'Twice.' }]),
  })
  const url = await listen(app)
  const { space } = await makeWorld({ owner })
  const { body } = await owner.get(`/api/spaces/${space.id}/companion`)
  const ask = (text: string) =>
    takeTurn({ url, space_id: space.id, body: { text, conversation_id: body.conversation_id } })
  await ask('How often does the lamp turn?')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')

  const frames = await ask('And how often is that in an hour?')

  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const run = result
    .filter(({ functions }) => functions.some((one) => one.functionName && one.ranges[0]!.count > 0))
    .flatMap(({ url: file }) => /\/(lib\/(?:companion|ai|api\/routes)\/[^?]+)/.exec(file)?.[1] ?? [])
  const path = filesIn('A turn, file by file')
  const beside = filesIn('Beside the path')
  expect(frames.at(-1)?.type).toBe('done')
  expect(path.length).toBeLessThanOrEqual(25)
  expect(run.filter((file) => !path.includes(file) && !beside.includes(file))).toEqual([])
  expect(path.filter((file) => !run.includes(file))).toEqual([])
})
