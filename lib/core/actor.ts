// Who is acting. Every write carries an actor down to the audit row; no function guesses one.

/** What an agent may do. `write` exists in the data and grants nothing: no tier writes without the owner. */
export type Capabilities = { read: boolean; suggest: boolean; write: boolean }

/** `session_id`: the browser session that asks, if one does. */
export type OwnerActor = { kind: 'owner'; session_id?: string }

/** An agent, narrowed to the Spaces its token names; `spaces: null` means every Space. */
export type AgentActor = {
  kind: 'agent'
  agent_id: string
  slug: string
  capabilities: Capabilities
  spaces: readonly string[] | null
}

/** Void itself: the first start, an import, a background job. Acts with the owner's rights. */
export type SystemActor = { kind: 'system'; name: string }

export type Actor = OwnerActor | AgentActor | SystemActor

/** How an actor is written into `created_by`, `updated_by` and the audit log. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'owner':
      return 'owner'
    case 'agent':
      return `agent:${actor.slug}`
    case 'system':
      return `system:${actor.name}`
  }
}
