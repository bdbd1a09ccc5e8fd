// Mail servers with bad manners, each read by a real server: it goes on, says at the account what is wrong, and lets
// the account be paused.

import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { startScriptedImap } from '../../../helpers/scripted-imap.ts'
import type { Client } from '../attack-world.ts'
import { type MailManner, mailManners } from '../manners/mail-servers.ts'
import type { Surface } from '../surface.ts'
import { type WatchedVoid, watchVoid } from '../watch-void.ts'

const made = z.object({ id: z.string() })
const accounts = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      error: z.string().nullable(),
      last_sync_at: z.string().nullable(),
    }),
  ),
})

const maxErrorMs = 6000
const maxWaitMs = 700
const maxPauseMs = 1000

/** What fell, for each of the manners. */
export async function tryManners(
  { call, during }: WatchedVoid,
  all: readonly MailManner[],
  onTried: (falls: string[]) => void,
): Promise<void> {
  const space = made.parse(await call('POST', '/api/spaces', { name: 'Skerry Light' })).id
  // What is loaded with the first account takes its time.
  await readOnce(call, space, { name: 'good manners', script: {} })
  for (const manner of all) {
    const falls: string[] = []
    const watched = await during(async () => void falls.push(...(await readOnce(call, space, manner))))
    onTried([...falls, ...watched].map((what) => `${manner.name}: ${what}`))
  }
}

async function readOnce(
  call: Client,
  space: string,
  { script, error, starttls = false }: MailManner,
): Promise<string[]> {
  const falls: string[] = []
  const imap = await startScriptedImap(script)
  const at = `/api/spaces/${space}`
  const { id } = made.parse(
    await call('POST', `${at}/mail-accounts`, {
      ...{ address: 'keeper@skerry.example', host: '127.0.0.1', port: imap.port, password: 'secret' },
      security: starttls ? 'starttls' : 'none',
    }),
  )
  const look = async () => {
    const { items } = accounts.parse(await call('GET', `${at}/mail-accounts`))
    return items.find((one) => one.id === id)
  }
  const began = performance.now()
  const isOver = (now: Awaited<ReturnType<typeof look>>) =>
    now?.error !== null || (!error && (now.last_sync_at !== null || performance.now() - began > maxWaitMs))
  let now = await look()
  while (!isOver(now) && performance.now() - began < maxErrorMs) {
    await wait(30)
    now = await look()
  }
  if (error && !error.test(now?.error ?? '')) falls.push(`the account says ${now?.error} (${now?.state})`)
  if ((now?.error?.length ?? 0) > 500) falls.push('what the account says is long')
  await inTime(call('POST', `${at}/pages`, { title: 'Other work' }), 'other work')
  await inTime(call('PATCH', `/api/mail-accounts/${id}`, { paused: true }), 'pausing')
  await call('DELETE', `/api/mail-accounts/${id}?mail=delete`)
  imap.close()
  return falls

  async function inTime(work: Promise<unknown>, what: string): Promise<void> {
    const from = performance.now()
    await work
    const ms = Math.round(performance.now() - from)
    if (ms > maxPauseMs) falls.push(`${what} took ${ms} ms`)
  }
}

export const surface: Surface = {
  name: 'mail servers',
  attack: async ({ tried, fell }, { databaseUrl }) => {
    const server = await watchVoid({ databaseUrl })
    try {
      await tryManners(server, mailManners, (falls) => {
        tried()
        for (const what of falls) fell(what)
      })
    } finally {
      await server.stop()
    }
  },
}
