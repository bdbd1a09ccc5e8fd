// Conversations of other products as threads of a Space. They are read-only and archived: no message is routed to them,
// none is part of what a companion remembers of its own, and a search names where they are from. The same conversation
// again changes nothing; one with more in a later export takes its place.

import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { productNames } from '../contract/companion/product-names.ts'
import type { AssistantMetadata } from '../contract/events/events.ts'
import type { FileOutcome } from '../contract/imports.ts'
import { AppError } from '../core/errors.ts'
import { isDiskFull } from '../db/pg-errors.ts'
import type { Database, Queryable } from '../db/pool.ts'
import { createImportWritesRepo } from '../db/repos/import_files.ts'
import { createImportOutcomesRepo } from '../db/repos/import_jobs.ts'
import {
  createImportedConversationsRepo,
  type KnownChat,
  type NewChatMessage,
} from '../db/repos/imported_conversations.ts'
import type { Chat } from '../files/import/chats/chat.ts'
import type { ChatFile } from '../files/import/file/format.ts'
import { skipped } from '../files/import/file/outcome.ts'
import type { ChatImport, ImportChats } from '../files/import/import-result.ts'
import type { Live } from '../space/live/live.ts'

type ImportChatsDeps = {
  database: Database
  live: Pick<Live, 'publish'>
  /** The companion that the threads are listed with. */
  agent: (spaceId: string, agentId: string | null) => Promise<{ id: string }>
  now: () => Date
}

const entity_type = 'conversation'

/** Of an imported answer nothing is known but its words. */
const answered: AssistantMetadata = {
  tool_trace: [],
  draft_ids: [],
  stop_reason: 'end_turn',
  usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  duration_ms: 0,
  citations: [],
  model: null,
  error: null,
}

export function createImportChats(deps: ImportChatsDeps): ImportChats {
  const { database, live, agent } = deps

  return async (run) => {
    const { space_id, chats, preview } = run
    if (chats.length === 0) return []
    const known = await listKnown(database, run)
    if (preview) return chats.map((file) => toOutcome(file, plan(file.chat, known)))
    await database.checkRoom()
    const { id: agent_id } = await agent(space_id, null)
    const told: FileOutcome[] = []
    for (const file of chats) told.push(await storeOne(deps, { ...run, agent_id, known }, file))
    const made = told.find(({ outcome }) => outcome === 'created')
    if (made?.entity_id)
      live.publish({ type: 'conversation', data: { id: made.entity_id, space_id, state: 'archived' } })
    return told
  }
}

type Known = ReadonlyMap<string, KnownChat & { sha256: string }>

type StoreRun = ChatImport & { agent_id: string; known: Known }

async function listKnown(database: Database, { space_id, chats }: ChatImport): Promise<Known> {
  const repo = createImportedConversationsRepo(database)
  const found = new Map<string, KnownChat>()
  for (const [product, files] of Map.groupBy(chats, ({ chat }) => chat.product)) {
    const keys = files.map(({ chat }) => chat.key)
    for (const row of await repo.listKnown(space_id, product, keys)) found.set(`${product} ${row.key}`, row)
  }
  return found
}

type Plan = { outcome: 'created' | 'updated' | 'unchanged' | 'deleted'; id: string | null }

function plan(chat: Chat, known: Known): Plan {
  const found = known.get(`${chat.product} ${chat.key}`)
  if (!found) return { outcome: 'created', id: null }
  const { conversation_id: id } = found
  if (found.deleted) return { outcome: 'deleted', id }
  return { outcome: found.sha256 === hashOf(chat) ? 'unchanged' : 'updated', id }
}

const hashOf = ({ title, messages }: Chat): string =>
  createHash('sha256')
    .update(JSON.stringify([title, messages]))
    .digest('hex')

/** In a transaction of its own, so that only a bad one is lost. */
async function storeOne(deps: ImportChatsDeps, run: StoreRun, file: ChatFile): Promise<FileOutcome> {
  try {
    return await deps.database.transaction((tx) => store(tx, deps, run, file))
  } catch (error) {
    if ((error instanceof AppError && error.status === 503) || isDiskFull(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { ...skipped(file.path, `it could not be stored: ${reason}`), title: titleOf(file.chat) }
  }
}

async function store(
  tx: Queryable,
  { now }: ImportChatsDeps,
  { space_id, agent_id, job_id, known }: StoreRun,
  file: ChatFile,
): Promise<FileOutcome> {
  const { chat } = file
  const { outcome, id: known_id } = plan(chat, known)
  const id = known_id ?? uuid()
  if (outcome === 'created' || outcome === 'updated') {
    const repo = createImportedConversationsRepo(tx)
    const messages = dated(chat, now())
    const { product, key } = chat
    const about = { title: titleOf(chat), sha256: hashOf(chat), last_activity_at: messages.at(-1)!.at }
    const started_at = chat.started_at ?? messages[0]!.at
    const summary = summaryOf(chat)
    if (outcome === 'updated') await repo.replace(id, about)
    else await repo.insert({ id, space_id, agent_id, product, key, summary, started_at, ...about })
    await repo.insertMessages(id, messages, answered)
    const write = {
      entity_type,
      entity_id: id,
      action: outcome === 'created' ? 'create' : 'update',
      version: 1,
    }
    if (job_id) await createImportWritesRepo(tx).add(job_id, [write])
  }
  const told = toOutcome(file, { outcome, id })
  // Here too: a run after a crash finds it unchanged, and says so only where nothing was said before.
  if (job_id) await createImportOutcomesRepo(tx).save(job_id, [told])
  return told
}

/** One without a time has that of the one before. */
function dated({ messages, started_at }: Chat, now: Date): NewChatMessage[] {
  let last = started_at ?? messages.find(({ at }) => at !== null)?.at ?? now.toISOString()
  return messages.map(({ role, text, at }) => {
    last = at ?? last
    return { id: uuid(), role, text, at: last }
  })
}

function titleOf({ title, branch }: Chat): string {
  const name = title || 'Untitled conversation'
  return branch ? `${name} (version ${branch.number})` : name
}

function summaryOf({ product, messages, branch }: Chat): string {
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages`
  const of = branch
    ? `, another version of “${branch.of || 'Untitled conversation'}” from where it differs`
    : ''
  return `Imported from ${productNames[product]}, ${count}${of}`
}

const toOutcome = ({ path, chat }: ChatFile, { outcome, id }: Plan): FileOutcome => ({
  path,
  outcome,
  title: titleOf(chat),
  entity_type,
  entity_id: id,
  reason: null,
  warnings: chat.warnings,
})
