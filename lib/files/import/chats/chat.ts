import type { ChatProduct } from '../../../contract/imports.ts'
import { baseName } from '../../../core/text/paths.ts'

export type ChatMessage = {
  role: 'user' | 'assistant'
  text: string
  /** ISO; `null`: the export names no time. */
  at: string | null
}

/** One conversation of an export, or a branch of one: what was said after another version of a message. */
export type Chat = {
  product: ChatProduct
  /** Stable across exports. */
  key: string
  title: string
  started_at: string | null
  /** Its number from 2, and the title of the conversation; `null`: the conversation itself. */
  branch: { number: number; of: string } | null
  messages: ChatMessage[]
  warnings: string[]
}

/** What an export holds: conversations, and those that cannot be read with the reason. */
export type ChatExport = { chats: Chat[]; problems: { name: string; reason: string }[] }

/** Bytes of a file of conversations that is read at once. */
export const maxChatBytes = 300 * 1024 * 1024

/** The name that both products give the file; a large export comes in numbered ones. */
export const isChatsName = (path: string): boolean =>
  /^conversations(?:-\d{1,4})?\.json$/i.test(baseName(path))

/** Files beside it that say the same again, or are about the account. */
export const isBesideChats = (path: string): boolean =>
  /^(?:chat\.html|message_feedback\.json|model_comparisons\.json|shared_conversations\.json|users?\.json)$/i.test(
    baseName(path),
  )
