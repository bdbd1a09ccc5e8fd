// Somebody who talks to a server that may die at any moment, and looks afterwards at what is there.

import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

type PreparedTurn = { spaceId: string; conversationId: string; key: string }

/** `turnId` is `null` when the server never said that it has the message. */
export type StartedTurn = PreparedTurn & { turnId: string | null }

export type CrashClient = {
  token: string
  /** A Space and a conversation of its own for one turn. */
  prepare(url: string): Promise<PreparedTurn>
  /** Says something and reads until the connection breaks or the turn ends. Never rejects. */
  begin(url: string, turn: PreparedTurn): Promise<StartedTurn>
  /** Whether the next message in the conversation of a turn is answered. */
  goOn(url: string, turn: PreparedTurn): Promise<boolean>
  /** How a turn ended; `null` when it had not by the deadline. */
  whenEnded(url: string, turnId: string, deadline: number): Promise<string | null>
  look(url: string, turn: StartedTurn): Promise<Found>
}

type Found = { questions: string[]; answers: string[]; drafts: number }

const made = z.object({ id: z.string() })
const state = z.object({ status: z.string() })
const messages = z.object({
  items: z.array(
    z.object({
      role: z.string(),
      body: z.string(),
    }),
  ),
})
const list = z.object({ items: z.array(z.unknown()) })

export function createTurnClient(): CrashClient {
  const token = 'owner_of-the-crash-test-0123456789'
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let turns = 0

  return {
    token,

    async prepare(url) {
      turns += 1
      const space = made.parse(await post(`${url}/api/spaces`, { name: `Crash ${turns}` }))
      const conversation = made.parse(await post(`${url}/api/spaces/${space.id}/conversations`, {}))
      return { spaceId: space.id, conversationId: conversation.id, key: `crash-${process.pid}-${turns}` }
    },

    async begin(url, turn) {
      const heard = await say(url, turn, { text: 'draft a boat', key: turn.key })
      return { ...turn, turnId: /"turn_id":"([^"]+)"/.exec(heard)?.[1] ?? null }
    },

    async goOn(url, turn) {
      return (await say(url, turn, { text: 'and now?', key: `${turn.key}-next` })).includes('event: done')
    },

    async whenEnded(url, turnId, deadline) {
      while (performance.now() < deadline) {
        const { status } = state.parse(await get(`${url}/api/turns/${turnId}`))
        if (status !== 'running' && status !== 'queued') return status
        await delay(50)
      }
      return null
    },

    async look(url, { spaceId, conversationId }) {
      const { items } = messages.parse(await get(`${url}/api/conversations/${conversationId}/messages`))
      const drafts = list.parse(await get(`${url}/api/pending-changes?space_id=${spaceId}`))
      const said = (role: string) => items.filter((item) => item.role === role)
      return {
        questions: said('user').map(({ body }) => body),
        answers: said('assistant').map(({ body }) => body),
        drafts: drafts.items.length,
      }
    },
  }

  async function say(url: string, turn: PreparedTurn, { text, key }: { text: string; key: string }) {
    let heard = ''
    try {
      const response = await fetch(`${url}/api/spaces/${turn.spaceId}/companion/turn`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body: JSON.stringify({ text, conversation_id: turn.conversationId }),
      })
      if (response.body) {
        for await (const piece of response.body.pipeThrough(new TextDecoderStream())) heard += piece
      }
    } catch {
      // That the connection breaks is what this is about.
    }
    return heard
  }

  async function get(url: string): Promise<unknown> {
    const response = await fetch(url, { headers })
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    return await response.json()
  }

  async function post(url: string, body: unknown): Promise<unknown> {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    return await response.json()
  }
}
