import type {
  AttachedFile,
  CompanionState,
  Mention,
  QueuedMessage,
} from '../../../lib/contract/companion/companion.ts'
import type { App, Subject } from '../../app/app.ts'
import type { Store } from '../../app/state.ts'
import { type Turn, toTurns } from './turn-state.ts'

export type ConversationState = Pick<
  CompanionState,
  'conversation_id' | 'title' | 'agent' | 'companions' | 'agents' | 'former_agent_id' | 'more' | 'questions'
> & {
  turns: readonly Turn[]
  /** The key of the turn that is being answered. */
  running: string | null
  queued: readonly QueuedMessage[]
}

/** Who a message can be for: the companion of the thread, or another one. */
export type Addressees = Pick<ConversationState, 'agent' | 'companions'>

/** What a message names: another companion, which is asked, and pages. */
export type Named = { body: { agent_id?: string; mentions?: string[] }; pages: readonly Mention[] }

/** In the thread that is shown: in the place of a turn, and with which pages, where they are not those of the text. */
type Placed = { replaces?: string; mentions?: string[] }

/** `here`: to the thread that is shown, where it may take the place of a turn. */
export type Sending = { here?: Placed; files?: readonly AttachedFile[] }

export type ConversationPart = {
  state: Store<ConversationState>
  /**
   * Sends a message, to the thread that it belongs to where none is named. Resolves when the answer has ended, however it did. While another answer is running the message is queued;
   * that rejects when it cannot be.
   */
  send(text: string, subject: Subject | null, sending?: Sending): Promise<void>
  stop(): Promise<void>
  loadOlder(): Promise<void>
  /** Shows the thread in use as the server has it. */
  reload(): Promise<void>
  /** Shows another thread once `request` has made it the one in use. Messages sent meanwhile go to that one. */
  change(request: () => Promise<unknown>): Promise<void>
}

/** A conversation with the Space that it is in: what the parts around it work on. */
export type ThreadContext = { app: App; spaceId: string; part: ConversationPart }

export const toConversationState = ({
  conversation_id,
  title,
  agent,
  companions,
  agents,
  former_agent_id,
  more,
  questions,
  messages,
  cards,
  queued,
}: CompanionState): ConversationState => ({
  conversation_id,
  title,
  agent,
  companions,
  agents,
  former_agent_id,
  more,
  questions,
  turns: toTurns(messages, cards, agents),
  running: null,
  queued,
})
