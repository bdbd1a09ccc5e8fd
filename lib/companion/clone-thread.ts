import type { Actor } from '../core/actor.ts'
import { notFound } from '../core/errors.ts'
import type { Database } from '../db/pool.ts'
import { createConversationAttachmentsRepo } from '../db/repos/conversation_attachments.ts'
import { createConversationTitlesRepo } from '../db/repos/conversation_titles.ts'
import { type ConversationRow, createConversationsRepo } from '../db/repos/conversations.ts'
import { createImportedConversationsRepo } from '../db/repos/imported_conversations.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'

/** Messages of a clone: the latest ones up to the chosen one. */
const maxMessages = 2000

/**
 * A new thread that begins with what was said up to a message, which is then the one in use. Drafts stay with the thread
 * that they were made in, and answers of an imported one stay those of its product. Throws a 404 `AppError` for an unknown message.
 */
export async function cloneThread(
  database: Database,
  { actor, messageId, agentId }: { actor: Actor; messageId: string; agentId: string | null },
): Promise<ConversationRow> {
  return await database.transaction(async (tx) => {
    const message = await createMessagesRepo(tx).findAnywhere(messageId)
    const conversations = createConversationsRepo(tx)
    const source = message && (await conversations.find(message.space_id, message.conversation_id))
    if (!source) throw notFound('message', messageId)
    const { space_id, id } = source
    const clone = await conversations.insertChosen(space_id, agentId ?? source.agent_id, actor)
    const product = await createImportedConversationsRepo(tx).findProduct(id)
    const marks = { draft_ids: [], ...(product ? { imported_from: product } : {}) }
    await createMessagesRepo(tx).copy(id, { to: clone.id, upTo: messageId, limit: maxMessages, marks })
    await createConversationAttachmentsRepo(tx).copy(id, clone.id)
    const title = `${source.title || 'Untitled thread'} (copy)`
    return (await createConversationTitlesRepo(tx).rename(space_id, clone.id, title)) ?? clone
  })
}
