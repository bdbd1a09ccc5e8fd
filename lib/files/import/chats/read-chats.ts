// The exports of ChatGPT and Claude: `conversations.json` of either, as conversations with their branches. Nothing in the
// file is trusted: sizes are counted before anything is read closely, trees may have cycles, and what cannot be read
// spoils nothing beside it.

import { createHash } from 'node:crypto'
import type { ChatProduct } from '../../../contract/imports.ts'
import { isRecord } from '../../../core/record.ts'
import { cleanLine, cleanText } from '../../../core/text/clean.ts'
import type { Chat, ChatExport, ChatMessage } from './chat.ts'

const maxConversations = 50_000
/** Messages of all conversations together. */
const maxMessages = 400_000
/** Nodes of one conversation, its branches and its hidden messages included. */
const maxNodes = 20_000
const maxBranches = 50
const maxText = 200_000
const maxTitle = 200
const maxFiles = 20

type Fields = Record<string, unknown>

/** A message of a conversation and the one that it follows. */
type Node = { id: string; parent: string | null; message: ChatMessage | null }

type Tree = { nodes: Node[]; current: string | null }

/** The conversations of a text; `null` if it is no export of either product. Must not throw for any text. */
export function readChats(text: string): ChatExport | null {
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(root)) return null
  if (!root.some((entry) => productOf(entry) !== null)) return null

  const chats: Chat[] = []
  const problems: ChatExport['problems'] = []
  let left = maxMessages
  for (const [index, entry] of root.slice(0, maxConversations).entries()) {
    const name = nameOf(entry, index)
    try {
      const read = readConversation(entry)
      left -= read.reduce((sum, { messages }) => sum + messages.length, 0)
      if (left < 0) {
        problems.push({ name, reason: `the export holds more than ${maxMessages} messages` })
        break
      }
      chats.push(...read)
    } catch (error) {
      if (!(error instanceof UnreadableChat)) throw error
      problems.push({ name, reason: error.message })
    }
  }
  const rest = root.length - maxConversations
  if (rest > 0)
    problems.push({
      name: '…',
      reason: `the export holds ${rest} conversations more than ${maxConversations}`,
    })
  return { chats, problems }
}

class UnreadableChat extends Error {}

function productOf(entry: unknown): ChatProduct | null {
  if (!isRecord(entry)) return null
  if (Object.hasOwn(entry, 'mapping')) return 'chatgpt'
  return Object.hasOwn(entry, 'chat_messages') ? 'claude' : null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const titleOf = (value: unknown): string =>
  cleanLine(textOf(value).slice(0, maxTitle * 4))
    .slice(0, maxTitle)
    .trim()

/** For a problem's line: the title, else the id, else the place. */
function nameOf(entry: unknown, index: number): string {
  const fields = isRecord(entry) ? entry : {}
  const { title, name, uuid, conversation_id, id } = fields
  const found = [title, name, uuid, conversation_id, id].map(titleOf).find((text) => text !== '')
  return found ?? `conversation ${index + 1}`
}

function readConversation(entry: unknown): Chat[] {
  const product = productOf(entry)
  if (!isRecord(entry) || !product) throw new UnreadableChat('it is not a conversation')
  const isGpt = product === 'chatgpt'
  const tree = isGpt ? readMapping(entry) : readList(entry)
  const id = textOf(isGpt ? (entry.conversation_id ?? entry.id) : entry.uuid).slice(0, 100)
  const title = titleOf(isGpt ? entry.title : entry.name)
  const started_at = timeOf(isGpt ? entry.create_time : entry.created_at)
  const { main, branches, warnings } = pathsOf(tree)
  const key = id || hashOf([title, started_at, main[0]?.message?.text ?? ''])
  const about = { product, title, started_at }
  const whole: Chat = { ...about, key, branch: null, messages: messagesOf(main), warnings }
  const others = branches.map((nodes, index) => ({
    ...about,
    key: `${key}/${hashOf(nodes.map(({ id }) => id).slice(-1))}`,
    branch: { number: index + 2, of: title },
    messages: messagesOf(nodes),
    warnings: [],
  }))
  const said = [whole, ...others].filter(({ messages }) => messages.length > 0)
  if (said.length === 0) throw new UnreadableChat('it has no messages')
  return said
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

const messagesOf = (nodes: readonly Node[]): ChatMessage[] =>
  nodes.map(({ message }) => message).filter((message) => message !== null)

// ChatGPT: a tree of nodes by their ids.

function readMapping({ mapping, current_node }: Fields): Tree {
  if (!isRecord(mapping)) throw new UnreadableChat('its messages are not in a mapping')
  const ids = Object.keys(mapping)
  if (ids.length > maxNodes) throw new UnreadableChat(`it has more than ${maxNodes} messages`)
  const nodes = ids.map((id): Node => {
    const node = mapping[id]
    if (!isRecord(node)) return { id, parent: null, message: null }
    const parent = textOf(node.parent)
    return { id, parent: parent === '' ? null : parent, message: readGptMessage(node.message) }
  })
  return { nodes, current: typeof current_node === 'string' ? current_node : null }
}

/** `null` for what is not shown in a conversation: system messages, calls of tools and their results. */
function readGptMessage(message: unknown): ChatMessage | null {
  if (!isRecord(message)) return null
  const { author, content, create_time, recipient, metadata } = message
  const role = isRecord(author) ? author.role : null
  if (role !== 'user' && role !== 'assistant') return null
  if (typeof recipient === 'string' && recipient !== 'all') return null
  const facts = isRecord(metadata) ? metadata : {}
  if (facts.is_visually_hidden_from_conversation === true) return null
  return toMessage(role, gptText(content), { at: create_time, files: namesOf(facts.attachments, 'name') })
}

const shownContent = new Set(['text', 'multimodal_text', 'code'])

function gptText(content: unknown): string {
  if (!isRecord(content) || !shownContent.has(textOf(content.content_type))) return ''
  if (content.content_type === 'code') return `\`\`\`\n${textOf(content.text)}\n\`\`\``
  const parts = Array.isArray(content.parts) ? content.parts : []
  const texts = parts.slice(0, maxNodes).map((part) => {
    if (typeof part === 'string') return part
    if (!isRecord(part)) return ''
    return textOf(part.content_type) === 'image_asset_pointer' ? '[Image]' : textOf(part.text)
  })
  // Marks of its citations, which lead nowhere outside of it.
  return texts.join('\n\n').replace(/\ue200[^\ue200\ue201]{0,2000}\ue201/g, '')
}

// Claude: a list in order, which names the message before where there are branches.

const rootOfClaude = '00000000-0000-4000-8000-000000000000'

function readList({ chat_messages, current_leaf_message_uuid }: Fields): Tree {
  if (!Array.isArray(chat_messages)) throw new UnreadableChat('its messages are not in a list')
  if (chat_messages.length > maxNodes) throw new UnreadableChat(`it has more than ${maxNodes} messages`)
  const nodes: Node[] = []
  for (const [index, entry] of chat_messages.entries()) {
    const message = isRecord(entry) ? entry : {}
    const id = textOf(message.uuid) || `message ${index}`
    const named = textOf(message.parent_message_uuid)
    const before = nodes.at(-1)?.id ?? null
    const parent = named === '' ? before : named === rootOfClaude ? null : named
    nodes.push({ id, parent, message: readClaudeMessage(message) })
  }
  const current = textOf(current_leaf_message_uuid)
  return { nodes, current: current === '' ? (nodes.at(-1)?.id ?? null) : current }
}

function readClaudeMessage({
  sender,
  text,
  content,
  created_at,
  attachments,
  files,
}: Fields): ChatMessage | null {
  if (sender !== 'human' && sender !== 'assistant') return null
  const blocks = Array.isArray(content) ? content.slice(0, maxNodes).filter(isRecord) : []
  const said = blocks.filter(({ type }) => type === 'text').map((block) => textOf(block.text))
  const names = [...namesOf(attachments, 'file_name'), ...namesOf(files, 'file_name')]
  const shown = said.some((each) => each.trim() !== '') ? said.join('\n\n') : textOf(text)
  return toMessage(sender === 'human' ? 'user' : 'assistant', shown, { at: created_at, files: names })
}

// Both.

function namesOf(list: unknown, field: string): string[] {
  if (!Array.isArray(list)) return []
  const names = list.slice(0, maxFiles).map((file) => (isRecord(file) ? titleOf(file[field]) : ''))
  return names.filter((name) => name !== '')
}

function toMessage(
  role: ChatMessage['role'],
  said: string,
  { at, files }: { at: unknown; files: readonly string[] },
): ChatMessage | null {
  const cut = said.length > maxText ? `${said.slice(0, maxText).toWellFormed()}\n\n[Cut at import]` : said
  const named = files.length > 0 ? `Attached: ${files.join(', ')}` : ''
  const text = cleanText([cut.trim(), named].filter((part) => part !== '').join('\n\n'))
  return text === '' ? null : { role, text, at: timeOf(at) }
}

const earliest = Date.parse('1990-01-01')
const latest = Date.parse('2100-01-01')

/** Seconds since 1970, or a date in a text. */
function timeOf(value: unknown): string | null {
  const ms = typeof value === 'number' ? value * 1000 : Date.parse(textOf(value).slice(0, 40))
  return ms > earliest && ms < latest ? new Date(ms).toISOString() : null
}

/** The path that is shown, and what was said after other versions of its messages, each from where it parts. */
function pathsOf({ nodes, current }: Tree): { main: Node[]; branches: Node[][]; warnings: string[] } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Set(nodes.map(({ parent }) => parent))
  const taken = new Set<string>()
  const pathTo = (id: string | null): Node[] => {
    const path: Node[] = []
    for (let node = id === null ? undefined : byId.get(id); node && !taken.has(node.id); ) {
      taken.add(node.id)
      path.push(node)
      node = node.parent === null ? undefined : byId.get(node.parent)
    }
    return path.reverse()
  }

  const leaves = nodes.filter(({ id }) => !parents.has(id)).map(({ id }) => id)
  const main = pathTo(current !== null && byId.has(current) ? current : (leaves.at(-1) ?? null))
  const branches = leaves.map(pathTo).filter((path) => path.some(({ message }) => message !== null))
  const lost = nodes.filter(({ id, message }) => message !== null && !taken.has(id)).length
  return {
    main,
    branches: branches.slice(0, maxBranches),
    warnings: [
      ...(branches.length > maxBranches ? [`${branches.length - maxBranches} branches were left out`] : []),
      ...(lost > 0 ? [`${lost} messages follow each other in a circle and were left out`] : []),
    ],
  }
}
