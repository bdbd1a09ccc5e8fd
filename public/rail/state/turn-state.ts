// A turn as the rail shows it, made from stored messages or event by event. Pure.

import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { Card } from '../../../lib/contract/changes/card.ts'
import type { AttachedFile, Mention, Message } from '../../../lib/contract/companion/companion.ts'
import type { Effect } from '../../../lib/contract/events/effects.ts'
import type {
  AssistantMetadata,
  Citation,
  Thinking,
  ToolEvent,
  TurnError,
  TurnEvent,
} from '../../../lib/contract/events/events.ts'
import type { ChatProduct } from '../../../lib/contract/imports.ts'
import type { GivenMemory } from '../../../lib/contract/memory.ts'
import type { ResearchEvent } from '../../../lib/contract/research.ts'
import type { Substep } from '../../features/research/stage-line.ts'

export type ToolCall = Substep & { duration_ms: number }

export type Used = { tokens: number; duration_ms: number }

export type Answer = {
  /** Of the stored message; `null` until there is one. */
  id: string | null
  text: string
  thinking: Thinking | null
  /** The last event was that the model thinks. */
  thinks: boolean
  citations: readonly Citation[]
  tools: readonly ToolCall[]
  cards: readonly Card[]
  /** What the companion would have shown, where the owner moves the view alone. */
  offers: readonly Effect[]
  /** What the model used for it, once that is known. */
  used: Used | null
  /** The lines of memory that the turn was given. */
  memory: readonly GivenMemory[]
  /** A wait or a retry that is going on. */
  note: string | null
  state: 'running' | 'done' | 'failed'
  stopReason: string | null
  problem: TurnError | null
  /** What happened to the stages of research that it carried. */
  research: readonly ResearchEvent[]
  /** The product that it was imported from; left out: it is the companion's own. */
  from?: ChatProduct | undefined
  /** When the owner edited it; left out: never. */
  edited?: string | undefined
}

export type Question = {
  text: string
  at: string
  pages?: readonly Mention[] | undefined
  files?: readonly AttachedFile[] | undefined
  /** Path of the screenshot that came with it. */
  screenshot?: string | undefined
}

export type Turn = {
  /** Its own among the turns shown, for as long as it is shown. */
  key: string
  /** `null` while the server has not named it yet. */
  id: string | null
  /** Where older messages are asked for from: the first message of it; `null`, before it has one: from the latest. */
  cursor: string | null
  question: Question | null
  /** The turns at its place, oldest first, where its message was edited or asked again. */
  versions?: readonly string[] | null | undefined
  answer: Answer | null
  /** Who answers; `null` or left out while that is not known: the companion of the thread. */
  author?: AgentMark | null
}

export const emptyAnswer: Answer = {
  id: null,
  text: '',
  thinking: null,
  thinks: false,
  citations: [],
  tools: [],
  cards: [],
  offers: [],
  used: null,
  note: null,
  state: 'running',
  stopReason: null,
  problem: null,
  research: [],
  memory: [],
}

/** The answer after one more event. */
export function applyEvent(answer: Answer, event: TurnEvent): Answer {
  switch (event.type) {
    case 'turn':
    case 'effect':
      return answer
    case 'research':
      return { ...answer, research: [...answer.research, event.data] }
    case 'delta':
      return { ...answer, text: answer.text + event.data.text, note: null }
    case 'thinking': {
      const text = (answer.thinking?.text ?? '') + event.data.text
      return { ...answer, thinking: { duration_ms: 0, ...answer.thinking, text }, thinks: true, note: null }
    }
    case 'thought':
      return { ...answer, thinking: { text: '', ...answer.thinking, ...event.data }, thinks: false }
    case 'tool':
      return { ...answer, tools: withCall(answer.tools, event.data), note: null }
    case 'citation':
      return { ...answer, citations: [...answer.citations, event.data] }
    case 'draft':
      return event.data.card ? { ...answer, cards: withCard(answer.cards, event.data.card) } : answer
    case 'snapshot': {
      const { text, thinking = null, tools, citations, drafts, status, research = [] } = event.data
      const calls = tools.reduce<readonly ToolCall[]>(withCall, [])
      return {
        ...answer,
        text,
        thinking,
        thinks: false,
        tools: calls,
        citations,
        cards: drafts.flatMap(({ card }) => card ?? []),
        note: status,
        research,
      }
    }
    case 'status':
      return { ...answer, note: event.data.message }
    case 'done':
      return {
        ...answer,
        id: event.data.assistant_message_id,
        state: 'done',
        stopReason: event.data.stop_reason,
        used: usedBy(event.data),
        memory: event.data.memory ?? [],
        note: null,
      }
    case 'error':
      return { ...answer, state: 'failed', problem: event.data, note: null }
  }
}

function usedBy({ usage, duration_ms }: Partial<AssistantMetadata>): Used | null {
  if (!usage || duration_ms === undefined) return null
  return { tokens: Object.values(usage).reduce((sum, tokens) => sum + tokens, 0), duration_ms }
}

function withCall(calls: readonly ToolCall[], event: ToolEvent): readonly ToolCall[] {
  const { tool_use_id, summary = null, duration_ms = 0 } = event
  const call = { ...event, summary, duration_ms }
  const at = calls.findIndex((each) => each.tool_use_id === tool_use_id)
  return at === -1 ? [...calls, call] : calls.with(at, call)
}

/** The cards with this one in its place, or at the end. */
function withCard(cards: readonly Card[], card: Card): readonly Card[] {
  const at = cards.findIndex(({ pending_change_id }) => pending_change_id === card.pending_change_id)
  return at === -1 ? [...cards, card] : cards.with(at, card)
}

/** The turns that stored messages make up, oldest first. */
export function toTurns(
  messages: readonly Message[],
  cards: readonly Card[],
  agents: readonly AgentMark[] = [],
): Turn[] {
  const byTurn = Map.groupBy(messages, ({ turn_id, id }) => turn_id ?? id)
  return [...byTurn].map(([id, group]) => {
    const question = group.find((message) => message.role === 'user')
    const answer = group.find((message) => message.role === 'assistant')
    return {
      key: id,
      id,
      cursor: group[0]?.id ?? id,
      question: question ? toQuestion(question) : null,
      versions: question?.versions,
      answer: answer?.role === 'assistant' ? toAnswer(answer, cards) : null,
      author: agents.find((agent) => agent.id === answer?.agent_id) ?? null,
    }
  })
}

const toQuestion = ({
  body,
  conversation_id,
  created_at,
  metadata: { mentions, attachments, screenshot, command },
}: Extract<Message, { role: 'user' }>): Question => ({
  // As it was typed: edited or asked again, it is a command again.
  text: command ? `/${command.name} ${command.arguments}`.trim() : body,
  at: created_at,
  pages: mentions,
  files: attachments,
  screenshot: screenshot && `/api/conversations/${conversation_id}/attachments/${screenshot.id}`,
})

type AssistantMessage = { id: string; body: string; metadata: Partial<AssistantMetadata> }

function toAnswer({ id, body: text, metadata }: AssistantMessage, cards: readonly Card[]): Answer {
  const { citations = [], tool_trace = [], draft_ids = [], stop_reason = null, error = null } = metadata
  const { research = [], thinking = null, memory = [] } = metadata
  return {
    id,
    text,
    thinking,
    thinks: false,
    citations,
    tools: tool_trace,
    cards: cards.filter(({ pending_change_id }) => draft_ids.includes(pending_change_id)),
    offers: [],
    used: usedBy(metadata),
    memory,
    note: null,
    state: error ? 'failed' : 'done',
    stopReason: stop_reason,
    problem: error,
    research,
    from: metadata.imported_from,
    edited: metadata.edited_at,
  }
}
