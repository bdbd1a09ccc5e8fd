import { z } from 'zod'
import type { Measurement } from './measurement.ts'
import { asOwner } from './spaces.ts'
import { percentile } from './statistics.ts'
import { withTurnServers } from './turn-servers.ts'

const resumptions = 200

/** A reader that comes back in the middle of an answer: from the request to the first event behind its cursor. */
export const resume: Measurement = {
  name: 'resume',
  about: 'a reader comes back to a turn, at a random event: until its next event is there',
  run: (log) =>
    withTurnServers({ count: 1 }, async ({ ours }) => {
      const heard = await readAll(ours.paths[0]!, 'plain: what is said of kan bin?')
      const turnId = z.string().parse(/"turn_id":"([^"]+)"/.exec(heard)?.[1])
      const last = Number(
        heard
          .match(/^id: (\d+)/gm)
          ?.at(-1)
          ?.slice(4),
      )
      log(`${resumptions} resumptions of a turn of ${last} events`)

      const times: number[] = []
      for (let n = 0; n < resumptions; n += 1) {
        const after = Math.floor(Math.random() * last)
        times.push(await timeFirstEvent(`${ours.server.url}/api/turns/${turnId}/events?after=${after}`))
      }
      return [
        { name: 'first event, p50', unit: 'ms', value: percentile(times, 0.5) },
        {
          name: 'first event, p95',
          unit: 'ms',
          value: percentile(times, 0.95),
          bound: { kind: 'at most', value: 150 },
        },
      ]
    }),
}

async function readAll(path: string, text: string): Promise<string> {
  const response = await fetch(path, { method: 'POST', headers: asOwner, body: JSON.stringify({ text }) })
  return await response.text()
}

async function timeFirstEvent(url: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(url, { headers: asOwner })
  let heard = ''
  let first = 0
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    heard += piece
    if (first === 0 && heard.includes('\n\n')) first = performance.now() - started
  }
  return first
}
