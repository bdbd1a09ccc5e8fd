import { Agent, type IncomingMessage, request } from 'node:http'
import { checkWholeTurn, ownEvents, type Wire } from './answer.ts'
import { asOwner } from './spaces.ts'
import { nowUs, readStamps } from './stamp.ts'

/** Milliseconds from sending the request. */
export type TurnTimes = { firstEvent: number; firstText: number; total: number }

/** Told how long each stamped delta was on its way, in milliseconds. */
export type OnLatency = (ms: number) => void

/** Lets an idle connection go before the server does, after its five seconds. */
const agent = new Agent({ keepAlive: true, timeout: 4000 })

/** Sends a turn, a text or a whole body, and reads its stream. Rejects unless it ends with `done`. */
export function readTurn(url: string, said: string | object, onLatency?: OnLatency): Promise<TurnTimes> {
  return send(url, said, (response, started) => readStream(response, started, { onLatency }))
}

/** Sends a text that asks for two tools. Rejects unless both are used and the whole answer comes. */
export async function readWholeTurn(url: string, said: string, wire: Wire): Promise<TurnTimes> {
  const frames: string[] = []
  const times = await send(url, { text: said }, (response, started) =>
    readStream(response, started, { wire, frames }),
  )
  checkWholeTurn(frames, wire)
  return times
}

type Reader = (response: IncomingMessage, started: number) => Promise<TurnTimes>

function send(url: string, said: string | object, read: Reader): Promise<TurnTimes> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const outgoing = request(url, { method: 'POST', agent, headers: asOwner }, (response) => {
      read(response, started).then(resolve, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(typeof said === 'string' ? { text: said } : said))
  })
}

/** `frames` gets every frame of the turn. */
type Reading = { onLatency?: OnLatency | undefined; wire?: Wire; frames?: string[] }

async function readStream(
  response: IncomingMessage,
  started: number,
  { onLatency, wire = ownEvents, frames: kept }: Reading,
): Promise<TurnTimes> {
  const times = { firstEvent: 0, firstText: 0, total: 0 }
  let rest = ''
  let last = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    last = frames.at(-1) ?? last
    kept?.push(...frames)
    if (frames.length > 0) times.firstEvent ||= performance.now() - started
    if (times.firstText === 0 && frames.some((frame) => wire.readText(frame))) {
      times.firstText = performance.now() - started
    }
    if (onLatency) for (const sent of frames.flatMap(readStamps)) onLatency((nowUs() - sent) / 1000)
  })
  await new Promise((resolve, reject) => response.on('end', resolve).on('error', reject))
  times.total = performance.now() - started
  if (!wire.isEnd(last)) throw new Error(`A turn ended with ${response.statusCode}: ${last}${rest}`)
  return times
}
