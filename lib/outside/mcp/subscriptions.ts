// Tells who listens what changed: of the resources it named, its own drafts among them, and that the list of resources is
// another one. It is told that something changed, not what it is now, and nothing that it may not read.

import type { ServerEvent } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { canAct, mayEnterSpace } from '../../auth/capability.ts'
import type { AgentActor } from '../../core/actor.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { NumberedLiveEvent } from '../../space/live/live.ts'
import type { EventsOf, McpRequest } from './endpoint.ts'
import type { McpDeps } from './mcp-deps.ts'
import { draftKind, parseUri } from './resources.ts'

/** Resources that one may name; others are not looked at. */
const maxNamed = 1000
/** How often whoever listens is looked at again, whatever happens. */
const recheckMs = 60_000
/** News of the list are gathered for so long: an import makes thousands of things. */
const gatherMs = 1000

const listening = z.object({
  params: z.object({
    notifications: z.object({ resourceSubscriptions: z.array(z.string()).optional() }),
  }),
})

/** The resources that a request names, by kind and id. */
function namedIn(body: unknown): Map<string, string> {
  const parsed = listening.safeParse(body)
  const uris = parsed.data?.params.notifications.resourceSubscriptions ?? []
  return new Map(
    uris.slice(0, maxNamed).flatMap((uri) => {
      const place = parseUri(uri)
      return place ? [[`${place.kind} ${place.id}`, uri] as const] : []
    }),
  )
}

export function createSubscriptions({ database, live, logger }: McpDeps): EventsOf {
  const changes = createPendingChangesRepo(database)

  return (request, end) => ({
    // Events come from this server's own news.
    publish: () => {},
    subscribe: (listener) => follow(request, listener, end),
  })

  function follow(request: McpRequest, listener: (event: ServerEvent) => void, end: () => void): () => void {
    const named = namedIn(request.body)
    let started = false
    let gathering: NodeJS.Timeout | undefined

    /** Whoever lost the token, or cannot be looked at now, is let go and may come back. */
    const withActor = (work: (actor: AgentActor) => Promise<void> | void): void => {
      request
        .recheck()
        .then((actor) => (actor ? work(actor) : end()))
        .catch((error: unknown) => {
          logger.info({ err: error }, 'MCP subscription ended')
          end()
        })
    }
    const tellList = (): void => {
      gathering ??= setTimeout(() => {
        gathering = undefined
        withActor((actor) => {
          if (mayRead(actor)) listener({ kind: 'resources_list_changed' })
        })
      }, gatherMs)
    }
    const tellOf = (
      uri: string,
      space_id: string,
      isTold: (actor: AgentActor) => Promise<boolean> | boolean,
    ) =>
      withActor(async (actor) => {
        if (mayEnterSpace(actor, space_id) && (await isTold(actor)))
          listener({ kind: 'resource_updated', uri })
      })
    const tellAll = (): void => {
      tellList()
      withActor((actor) => {
        if (mayRead(actor)) for (const uri of named.values()) listener({ kind: 'resource_updated', uri })
      })
    }

    const onNews = (news: NumberedLiveEvent): void => {
      // The first greets; a later one says that something was missed.
      if (news.type === 'hello' && started) tellAll()
      if (news.type === 'space') tellList()
      if (news.type === 'entity') {
        const { kind, id, space_id, action } = news.data
        const uri = named.get(`${kind} ${id}`)
        if (uri) tellOf(uri, space_id, mayRead)
        if (action !== 'update' && mayEnterSpace(request.actor, space_id)) tellList()
      }
      if (news.type === 'change') {
        const { id, space_id } = news.data
        const uri = named.get(`${draftKind} ${id}`)
        if (uri) tellOf(uri, space_id, (actor) => isOwn(actor, id))
      }
    }

    const unsubscribe = live.subscribe(onNews, null, end)
    started = true
    const timer = setInterval(() => withActor(() => {}), recheckMs).unref()
    return () => {
      clearTimeout(gathering)
      clearInterval(timer)
      unsubscribe()
    }
  }

  async function isOwn(actor: AgentActor, id: string): Promise<boolean> {
    return (await changes.find(id, { space_ids: actor.spaces, agent_id: actor.agent_id })) !== null
  }
}

const mayRead = (actor: AgentActor): boolean => canAct(actor, 'read', 'space') === 'allow'
