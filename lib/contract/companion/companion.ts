import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { AgentMark } from '../agents.ts'
import { Card } from '../changes/card.ts'
import { ErrorBody } from '../error.ts'
import { AssistantMetadata, Routed, TurnError, TurnRouting } from '../events/events.ts'
import { ResearchAsk } from '../research.ts'
import { count, id, time } from '../scalars.ts'
import { OpenDesk, Viewed } from './open-desk.ts'

/** A page that a message names, by the title that it had then. */
export const Mention = z.object({ id, title: z.string() })
export type Mention = z.infer<typeof Mention>

/** A file that came with a message: one of the Space, as it was then. */
export const AttachedFile = z.object({
  id: id.describe('Of the file (source document)'),
  title: z.string(),
  mime: z.string().describe('Of an image what its bytes are, whatever it is called'),
  size: count.describe('In bytes'),
})
export type AttachedFile = z.infer<typeof AttachedFile>

/** What comes with the words of a message. A new kind of it is added here, and where it is used. */
export const MessageContext = z.object({
  view: Viewed.optional().describe('What the owner looks at'),
  desk: OpenDesk.optional().describe('The tabs that are open'),
  mentions: z
    .array(Mention)
    .optional()
    .describe('The pages that it names, which are read before the model answers'),
  attachments: z
    .array(AttachedFile)
    .optional()
    .describe(
      'The files that came with it: images are shown to the model, others are read before it answers',
    ),
  research: ResearchAsk.optional().describe('The research that it begins, or answers'),
})
export type MessageContext = z.infer<typeof MessageContext>

/** The owner's message. */
export const UserMessage = MessageContext.extend({ text: z.string().overwrite(cleanText).max(100_000) })
export type UserMessage = z.infer<typeof UserMessage>

/** The context of a stored message, without what is empty there and what can no longer be read. */
export function readContext(stored: Record<string, unknown>): MessageContext {
  const present = Object.entries(stored).filter(([, value]) => value !== null)
  const { error } = MessageContext.safeParse(Object.fromEntries(present))
  const unreadable = new Set(error?.issues.map(({ path }) => path[0]))
  return MessageContext.parse(Object.fromEntries(present.filter(([name]) => !unreadable.has(name))))
}

const messageBase = z.object({
  id,
  conversation_id: id,
  turn_id: id.nullable(),
  agent_id: id.nullable(),
  body: z.string(),
  versions: z
    .array(id)
    .nullable()
    .optional()
    .describe('Of a question that was edited or asked again: the turns at its place, oldest first'),
  created_at: time,
})

export const Message = z.discriminatedUnion('role', [
  messageBase.extend({
    role: z.literal('user'),
    metadata: MessageContext,
  }),
  messageBase.extend({ role: z.literal('assistant'), metadata: AssistantMetadata }),
])
export type Message = z.infer<typeof Message>

/** A page of a conversation: oldest first, with the cards of the drafts that these messages made. */
export const MessagePage = z.object({
  items: z.array(Message),
  cards: z.array(Card),
  agents: z.array(AgentMark).describe('Who wrote the answers'),
  next_cursor: z.string().nullable().describe('Asks for the messages before these'),
})
export type MessagePage = z.infer<typeof MessagePage>

/** The companion of a conversation, with the model that answers there. */
const CompanionAgent = AgentMark.extend({
  mode: z.enum(['online', 'offline']),
  model: z.string(),
  chosen_model: z
    .string()
    .nullable()
    .describe('The model chosen for this conversation; null: that of the companion'),
})

/** A message that waits while another one is answered; until then it can be changed or withdrawn. */
export const QueuedMessage = z.object({ turn_id: id, text: z.string(), created_at: time })
export type QueuedMessage = z.infer<typeof QueuedMessage>

export const LastRouting = TurnRouting.extend({ turn_id: id, routed: Routed })
export type LastRouting = z.infer<typeof LastRouting>

/** The conversation in use in a Space, as the rail opens with it. */
export const CompanionState = z.object({
  conversation_id: id,
  title: z.string(),
  agent: CompanionAgent,
  companions: z.array(AgentMark).describe('All that answer in this Space, the first one first'),
  agents: z.array(AgentMark).describe('Who wrote the answers, and who the conversation was with before'),
  former_agent_id: id
    .nullable()
    .describe('The companion that it was with, when that was deleted or left the Space'),
  messages: z.array(Message).describe('Oldest first'),
  more: z.boolean().describe('Whether there are older messages'),
  cards: z.array(Card).describe('The cards of the drafts that these messages made, as they are now'),
  running_turn_id: id.nullable(),
  last_routing: LastRouting.nullable().describe(
    'How the last turn came to this conversation, if it was routed and that was not undone',
  ),
  queued: z.array(QueuedMessage).describe('Messages that wait for their turn, the next one first'),
  questions: z.array(z.string()).describe('For an empty conversation: what could be asked'),
})
export type CompanionState = z.infer<typeof CompanionState>

/** A turn's answer in one piece, for channels without a screen. */
export const PlainTextAnswer = z.object({
  text: z.string().describe('Plain text to be said; never empty'),
  open_in_browser: z
    .string()
    .nullable()
    .describe('Where the owner approves, while a draft of this turn waits'),
  turn_id: id.nullable().describe('null when the message was not accepted'),
  conversation_id: id.nullable(),
  routed: Routed.nullable(),
  draft_ids: z.array(id),
  stop_reason: z.string().nullable(),
  error: TurnError.nullable(),
})
export type PlainTextAnswer = z.infer<typeof PlainTextAnswer>

/** In place of an answer to a message that was not accepted: something to say, and the usual error. */
export const SpokenRefusal = PlainTextAnswer.extend({
  error: TurnError.extend(ErrorBody.shape.error.shape),
})
export type SpokenRefusal = z.infer<typeof SpokenRefusal>

export type SpokenAnswer = PlainTextAnswer | SpokenRefusal

const said = z.string().describe('Plain text to be said')
const last = { type: z.literal('answer') }

/** A line for a channel that speaks as it goes: first an acknowledgement, then progress, last the answer. */
export const SpokenLine = z.union([
  z.object({ type: z.enum(['acknowledgement', 'progress']), text: said }),
  SpokenRefusal.extend(last),
  PlainTextAnswer.extend(last),
])
export type SpokenLine = z.infer<typeof SpokenLine>

export const Conversation = z.object({
  id,
  space_id: id,
  agent_id: id.describe('The companion that it is with'),
  model: z.string().nullable().describe('The model chosen for it; null: that of its companion'),
  title: z.string(),
  /** One line. */
  summary: z.string(),
  status: z.enum(['active', 'archived']),
  started_at: time,
  last_activity_at: time,
})
export type Conversation = z.infer<typeof Conversation>
