import type { CallModel } from '../../ai/model.ts'
import type { AttachedFile, Mention } from '../../contract/companion/companion.ts'
import type { OpenDesk, Viewed } from '../../contract/companion/open-desk.ts'
import type { ResearchAsk } from '../../contract/research.ts'
import type { Routing } from './route-turn.ts'

export type StartTurn = {
  space_id: string
  text: string
  /** What is looked at. */
  view: Viewed | null
  /** The tabs that are open. */
  desk: OpenDesk | null
  /** The pages that it names, which are read before the model answers. */
  mentions?: readonly Mention[] | null
  /** The files that come with it: images are shown to the model, others are read before it answers. */
  attachments?: readonly AttachedFile[] | null
  /** `null`: the router finds the one that the message belongs to. */
  conversation_id: string | null
  /** The companion that is asked; left out or `null`: that of the conversation. */
  agent_id?: string | null
  /** The conversation that is shown, for the router; `null`: the latest. */
  active_conversation_id?: string | null
  idempotency_key: string | null
  /** The turn whose place it takes: its question is edited, or asked again. In the conversation that is named. */
  replaces?: string | null
  /** Waits while another turn runs in the conversation, instead of being refused. */
  queue: boolean
  /** What it has to do with research; left out: nothing, or an answer to the run that waits in the conversation. */
  research?: ResearchAsk | null
  /** Replaces the configured model. */
  callModel?: CallModel | undefined
}

/** A message with where it was routed; `null` when it names its conversation or was said before. */
export type RoutedTurn = StartTurn & { routing: Routing | null }
