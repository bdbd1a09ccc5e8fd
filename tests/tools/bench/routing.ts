import { z } from 'zod'
import type { Figure, Measurement } from './measurement.ts'
import { readTurn, type TurnTimes } from './read-turn.ts'
import { asOwner, post } from './spaces.ts'
import { percentile } from './statistics.ts'
import { withTurnServers } from './turn-servers.ts'

const warmUps = 40
const rounds = 150
const spaces = 10

const inUse = z.object({ conversation_id: z.string() })

/** Ways for a message to come to its conversation, taking turns so that they feel the same machine. */
const ways = {
  named: (conversation_id: string) => ({ text: 'What of the boat?', conversation_id }),
  obvious: () => ({ text: 'And what of the boat?' }),
  asked: () => ({ text: 'What of the boat?' }),
}

type Way = keyof typeof ways

/** What routing adds to the time to the first event and the first text of a turn. */
export const routing: Measurement = {
  name: 'routing',
  about:
    'a plain turn whose place is obvious, or asked of a model that answers at once; beside one that names it',
  run: (log) =>
    withTurnServers({ count: spaces, pages: 2 }, async ({ ours }) => {
      const places: { path: string; id: string }[] = []
      for (const path of ours.paths) places.push(await makeTwoThreads(path))
      log(`${warmUps} rounds to warm up, ${rounds} measured, two conversations a Space`)
      await measure(places, warmUps)
      const times = await measure(places, rounds)
      return (['obvious', 'asked'] as const).flatMap((way) => figuresOf(way, times))
    }),
}

/** The conversation in use is the second one. */
async function makeTwoThreads(path: string): Promise<{ path: string; id: string }> {
  const space = path.replace(/\/companion\/turn$/, '')
  await readTurn(path, 'plain: the first')
  await post(`${space}/conversations`, {})
  await readTurn(path, 'plain: the second')
  const response = await fetch(`${space}/companion`, { headers: asOwner })
  return { path, id: inUse.parse(await response.json()).conversation_id }
}

async function measure(places: { path: string; id: string }[], count: number) {
  const times: Record<Way, TurnTimes[]> = { named: [], obvious: [], asked: [] }
  for (let n = 0; n < count; n += 1) {
    const { path, id } = places[n % places.length]!
    for (const way of ['named', 'obvious', 'asked'] as const) {
      times[way].push(await readTurn(path, ways[way](id)))
    }
  }
  return times
}

function figuresOf(way: Way, times: Record<Way, TurnTimes[]>): Figure[] {
  const at = (of: Way, field: 'firstEvent' | 'firstText') =>
    percentile(
      times[of].map((each) => each[field]),
      0.5,
    )
  return [
    {
      name: `${way}: first event, p50`,
      unit: 'ms',
      value: at(way, 'firstEvent'),
      baseline: at('named', 'firstEvent'),
    },
    {
      name: `${way}: first text, p50`,
      unit: 'ms',
      value: at(way, 'firstText'),
      baseline: at('named', 'firstText'),
    },
  ]
}
