import type {
  AttachedFile,
  CompanionState,
  Conversation,
  Mention,
  QueuedMessage,
} from '../../../lib/contract/companion/companion.ts'
import type { OpenDesk } from '../../../lib/contract/companion/open-desk.ts'
import type { Effect } from '../../../lib/contract/events/effects.ts'
import type { ThinkingLevel } from '../../../lib/contract/model.ts'
import type { App, AppContext, Subject, TabOrigin } from '../../app/app.ts'
import type { Store } from '../../app/state.ts'
import type { Cards } from '../../drafts/card/cards.ts'
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
export type Mentioned = { body: { agent_id?: string; mentions?: string[] }; pages: readonly Mention[] }

/** In the thread that is shown: in the place of a turn, and with which pages, where they are not those of the text. */
type Placed = { replaces?: string; mentions?: string[] }

/** A picture for one message. */
export type MessageScreenshot = {
  /** A data URL, as the message carries it. */
  data: string
  /** Address of the picture in this page. */
  url: string
}

/** `here`: to the thread that is shown, where it may take the place of a turn. */
export type Sending = {
  here?: Placed
  files?: readonly AttachedFile[]
  screenshot?: MessageScreenshot | undefined
  thinking?: ThinkingLevel
}

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

/** How the companion changes the tabs, and what is sent to it about them. */
export type RailDesk = {
  /** Applies an effect. Resolves to false where the owner has to open its subject. */
  applyEffect(effect: Effect, origin: TabOrigin): Promise<boolean>
  /** The open tabs, but for the entity with that id. `null` before there are any. */
  openTabs(without: string | null): OpenDesk | null
}

export type RailContext = AppContext & { cards: Cards; desk: RailDesk }

/** Switches to a thread. */
export async function openThread({ app, spaceId, part }: ThreadContext, id: string): Promise<void> {
  await part.change(() =>
    app.api.patch<Conversation>(`/api/spaces/${spaceId}/conversations/${id}`, { in_use: true }),
  )
}

/** Creates a thread and switches to it. */
export async function newThread({ app, spaceId, part }: ThreadContext): Promise<void> {
  const agent_id = part.state.get().agent.id
  await part.change(() => app.api.post<Conversation>(`/api/spaces/${spaceId}/conversations`, { agent_id }))
}
