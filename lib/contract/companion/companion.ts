import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { AgentMark } from '../agents.ts'
import { Card } from '../changes/card.ts'
import { ErrorBody } from '../error.ts'
import { AssistantMetadata, Routed, TurnError, TurnRouting } from '../events/events.ts'
import { ChatProduct } from '../imports.ts'
import { ThinkingLevel } from '../model.ts'
import { ResearchAsk } from '../research.ts'
import { count, id, time } from '../scalars.ts'
import { UsedCommand } from './commands.ts'
import { OpenDesk, Viewed } from './open-desk.ts'
import { RoutineMark } from './routines.ts'

/** A page mentioned in a message, with its title at that time. */
export const Mention = z.object({ id, title: z.string() })
export type Mention = z.infer<typeof Mention>

/** A file attached to a message, as it was at that time. */
export const AttachedFile = z.object({
  id: id.describe('Id of the file (`source_doc`)'),
  title: z.string(),
  mime: z.string().describe('Media type; for an image, determined from its bytes'),
  size: count.describe('Size in bytes'),
})
export type AttachedFile = z.infer<typeof AttachedFile>

/** An image sent with a message and kept with its conversation. */
export const Screenshot = z.object({
  id,
  mime: z.string().describe('Media type, determined from its bytes'),
  size: count.describe('Size in bytes'),
})
export type Screenshot = z.infer<typeof Screenshot>

/** The glance that a message began with: the mail it is about, and the words that Void put into the composer. */
export const BegunWith = z.object({ id, message_id: id, action_prompt: z.string() })
export type BegunWith = z.infer<typeof BegunWith>

/** Context sent with the text of a message. */
export const MessageContext = z.object({
  view: Viewed.optional().describe('The view in front of the owner'),
  desk: OpenDesk.optional().describe('The open tabs'),
  mentions: z.array(Mention).optional().describe('Mentioned pages, which are read before the model answers'),
  attachments: z
    .array(AttachedFile)
    .optional()
    .describe('Attached files; images are sent to the model, other files are read before it answers'),
  screenshot: Screenshot.optional().describe('Screenshot that came with the message, sent to the model'),
  research: ResearchAsk.optional().describe('The research that the message starts or answers'),
  thinking: ThinkingLevel.optional().describe(
    'How much the model thinks about this message. Default: as the companion is set',
  ),
  glance: BegunWith.optional().describe('The nudge that the message began with'),
  command: UsedCommand.optional().describe('The command whose prompt the message is'),
  routine: RoutineMark.optional().describe('The run of a routine whose instruction the message is'),
})
export type MessageContext = z.infer<typeof MessageContext>

/** The owner's message. */
export const UserMessage = MessageContext.extend({ text: z.string().overwrite(cleanText).max(100_000) })
export type UserMessage = z.infer<typeof UserMessage>

/** Reads the context of a stored message, without fields that are null or no longer valid. */
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
    .describe(
      'For a message that was edited or sent again: ids of all turns in its place, its own included, oldest first',
    ),
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

/** What an answer said before the owner edited it. */
export const AnswerVersion = z.object({
  version: count.describe('From 1: what the companion wrote'),
  body: z.string(),
  citations: AssistantMetadata.shape.citations,
  replaced_at: time,
})
export type AnswerVersion = z.infer<typeof AnswerVersion>

/** A page of messages, oldest first, with the cards of the drafts they created. */
export const MessagePage = z.object({
  items: z.array(Message),
  cards: z.array(Card),
  agents: z.array(AgentMark).describe('Authors of the answers'),
  next_cursor: z.string().nullable().describe('Cursor for older messages'),
})
export type MessagePage = z.infer<typeof MessagePage>

/** The companion of a conversation and its model. */
const CompanionAgent = AgentMark.extend({
  mode: z.enum(['online', 'offline']),
  model: z.string(),
  chosen_model: z
    .string()
    .nullable()
    .describe('Model chosen for this conversation; null: the companion’s model'),
  thinking: ThinkingLevel.nullable().describe('How much it thinks; null: its model takes no such setting'),
})

/** A queued message. It can be changed or withdrawn until its turn starts. */
export const QueuedMessage = z.object({
  turn_id: id,
  text: z.string(),
  mentions: z.array(Mention),
  created_at: time,
})
export type QueuedMessage = z.infer<typeof QueuedMessage>

export const LastRouting = TurnRouting.extend({ turn_id: id, routed: Routed })
export type LastRouting = z.infer<typeof LastRouting>

/** Initial state of the rail: the current conversation in a Space. */
export const CompanionState = z.object({
  conversation_id: id,
  title: z.string(),
  agent: CompanionAgent,
  companions: z.array(AgentMark).describe('All companions in this Space, the built-in companion first'),
  agents: z.array(AgentMark).describe('Authors of the answers, and the former companion'),
  former_agent_id: id
    .nullable()
    .describe('Previous companion of the conversation, if it was deleted or removed from the Space'),
  messages: z.array(Message).describe('Oldest first'),
  more: z.boolean().describe('`true` if there are older messages'),
  cards: z.array(Card).describe('Current cards of the drafts created by these messages'),
  running_turn_id: id.nullable(),
  last_routing: LastRouting.nullable().describe(
    'Routing of the last turn; null if it was not routed or the routing was undone',
  ),
  queued: z.array(QueuedMessage).describe('Queued messages, next first'),
  questions: z.array(z.string()).describe('Suggested questions for an empty conversation'),
})
export type CompanionState = z.infer<typeof CompanionState>

/** Complete answer of a turn as plain text, for channels without a screen. */
export const PlainTextAnswer = z.object({
  text: z.string().describe('Plain text to be spoken; never empty'),
  open_in_browser: z
    .string()
    .nullable()
    .describe('URL where the owner can decide, while a draft of this turn is pending'),
  turn_id: id.nullable().describe('null if the message was not accepted'),
  conversation_id: id.nullable(),
  routed: Routed.nullable(),
  draft_ids: z.array(id),
  stop_reason: z.string().nullable(),
  error: TurnError.nullable(),
})
export type PlainTextAnswer = z.infer<typeof PlainTextAnswer>

/** Response to a message that was not accepted: a text to be spoken, and the API error. */
export const SpokenRefusal = PlainTextAnswer.extend({
  error: TurnError.extend(ErrorBody.shape.error.shape),
})
export type SpokenRefusal = z.infer<typeof SpokenRefusal>

export type SpokenAnswer = PlainTextAnswer | SpokenRefusal

const said = z.string().describe('Plain text to be spoken')
const last = { type: z.literal('answer') }

/** A line of a streamed spoken answer: an acknowledgement, then progress, and finally the answer. */
export const SpokenLine = z.union([
  z.object({ type: z.enum(['acknowledgement', 'progress']), text: said }),
  SpokenRefusal.extend(last),
  PlainTextAnswer.extend(last),
])
export type SpokenLine = z.infer<typeof SpokenLine>

export const Conversation = z.object({
  id,
  space_id: id,
  agent_id: id.describe('The companion of the conversation'),
  model: z.string().nullable().describe('Model chosen for the conversation; null: the companion’s model'),
  title: z.string(),
  /** One line. */
  summary: z.string(),
  status: z.enum(['active', 'archived']),
  labels: z.array(z.string()).describe('Labels that the owner gave it'),
  flagged: z.boolean().describe('`true` if the owner flagged it'),
  imported_from: ChatProduct.nullable().describe(
    'Product whose export it comes from: it can be read and cloned, and no message is sent in it; null: had here',
  ),
  started_at: time,
  last_activity_at: time,
})
export type Conversation = z.infer<typeof Conversation>
