// What tools reach, each call held to the actor's Spaces and capabilities.

import type { Named, ToolServices } from '../../ai/agent/services.ts'
import { canAct, mayEnterSpace } from '../../auth/capability.ts'
import { listOutcomes } from '../../changes/outcomes.ts'
import type { RetractChange, ReviseChange } from '../../changes/propose/own-drafts.ts'
import type { ProposeChange } from '../../changes/propose/propose.ts'
import { resolveName } from '../../content/links/link-index.ts'
import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Actor } from '../../core/actor.ts'
import { forbidden, notFound } from '../../core/errors.ts'
import { countRuns, holdsText } from '../../core/text/words/holds-text.ts'
import type { Database } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { type TextThreads, textTask } from '../../jobs/workers/text-threads.ts'
import type { OutsideTools } from '../../outside/sources/outside-tools.ts'
import type { Search } from '../../search/search.ts'
import { listSpace, readView } from './list-space.ts'
import { readEntity } from './read-entity.ts'
import { type AttachmentTextOf, readMailThread, searchMail } from './read-mail.ts'

/** Characters of a path that are looked up. */
const maxPath = 500
/** Tools make excerpts of their own. */
const snippetLength = 40

const holdsTextTask = textTask(new URL('../../core/text/words/holds-text.ts', import.meta.url), holdsText)

const countRunsTask = textTask(new URL('../../core/text/words/holds-text.ts', import.meta.url), countRuns)

export type ToolServicesDeps = {
  database: Database
  kinds: Kinds
  threads: TextThreads
  search: Search
  proposeChange: ProposeChange
  retractChange: RetractChange
  reviseChange: ReviseChange
  outsideTools: OutsideTools
  mail: { attachments: { text: AttachmentTextOf } }
}

export function createToolServices(deps: ToolServicesDeps): ToolServices {
  const { database, kinds, threads, search, outsideTools, mail } = deps
  const mailDeps = { database, attachmentText: mail.attachments.text }
  return {
    async search(actor, { space_id, ...request }) {
      checkRead(actor, space_id)
      const { items, missing } = await search.show({ space_ids: [space_id], ...request }, snippetLength)
      return { passages: items, missing }
    },

    read: reading((request) => readEntity(database, kinds, request)),
    list: reading((request) => listSpace(database, kinds, request)),
    readView: reading((request) => readView(deps, request)),

    findByPath: reading(async ({ space_id, path }) => {
      const found = await resolveName(database, space_id, path.slice(0, maxPath))
      if (!found) throw notFound('page with the path or title', `“${path.slice(0, maxPath)}”`)
      return { kind: found.entity_type, id: found.entity_id }
    }),
    name: async (actor, request) => named(request.kind, (await find(actor, request)).row),

    async findQuotedText(actor, { text, ...request }) {
      const { kind, row } = await find(actor, request)
      const stored = `${textOf(row[kind.bodyField])}\n${kind.searchText(row)}`
      const holds = await threads.run(holdsTextTask, { text: stored, words: text })
      const body = textOf(row[kind.bodyField])
      const count = holds ? 1 : ((await threads.run(countRunsTask, { text: body, words: text })) ?? 0)
      return count === 0 ? null : { ...named(request.kind, row), count }
    },

    async propose(actor, proposal) {
      if (actor.kind !== 'agent') throw forbidden('Only an agent can propose changes.')
      return await deps.proposeChange(actor, proposal)
    },

    async outcomes(actor, { space_id, id = null, after = null, limit }) {
      if (actor.kind !== 'agent') throw forbidden('Only an agent has drafts of its own.')
      if (!mayEnterSpace(actor, space_id)) throw notFound('Space', space_id)
      return await listOutcomes({ database, kinds, threads }, actor, {
        space_id,
        id,
        before_id: after,
        limit,
      })
    },

    findOutsideTools: reading(outsideTools.find),

    async callOutsideTool(actor, call) {
      checkRead(actor, call.space_id)
      if (actor.kind !== 'agent') throw forbidden('Only an agent can call the tools of sources.')
      return await outsideTools.call(actor, call)
    },

    readOutsideResult: reading(outsideTools.result),
    searchMail: reading((request) => searchMail({ database, search }, request)),
    readMailThread: reading((request) => readMailThread(mailDeps, request)),

    async retract(actor, id) {
      if (actor.kind !== 'agent') throw forbidden('Only an agent can retract its drafts.')
      return await deps.retractChange(actor, id)
    },

    async revise(actor, revision) {
      if (actor.kind !== 'agent') throw forbidden('Only an agent can revise its drafts.')
      return await deps.reviseChange(actor, revision)
    },
  }

  async function find(
    actor: Actor,
    { space_id, kind: type, id }: Place,
  ): Promise<{ kind: Kind; row: EntityRow }> {
    checkRead(actor, space_id)
    const kind = kinds.get(type)
    const row = await createEntitiesRepo(database).find(kind, space_id, id)
    if (!row) throw notFound(kind.label, id)
    return { kind, row }
  }
}

const named = (kind: string, row: EntityRow): Named => ({
  kind,
  id: row.id,
  title: titleOf(row),
  version: row.version,
})

/** What an actor that may read the Space is given. */
function reading<Request extends { space_id: string }, Result>(read: (request: Request) => Promise<Result>) {
  return async (actor: Actor, request: Request): Promise<Result> => {
    checkRead(actor, request.space_id)
    return await read(request)
  }
}

type Place = { space_id: string; kind: string; id: string }

function checkRead(actor: Actor, spaceId: string): void {
  if (!mayEnterSpace(actor, spaceId)) throw notFound('Space', spaceId)
  if (canAct(actor, 'read', 'space') !== 'allow') throw forbidden('This agent may not read.')
}
