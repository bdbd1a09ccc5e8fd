// What an agent that answers in the rail has besides other agents.

import type { AgentColor } from '../contract/agents.ts'
import { firstCompanion, maxCompanionName } from '../contract/companion-facts.ts'
import type { Queryable } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { createConversationsRepo } from '../db/repos/conversations.ts'
import { conflict, invalid } from '../errors.ts'
import { lookOf } from '../text/mixed-scripts.ts'

export type CompanionFields = {
  instructions: string
  /** `null`: the configured one. */
  model: string | null
  /** `null`: all that it may use. */
  tools: string[] | null
  color: AgentColor | null
}

export const noCompanion: CompanionFields = { instructions: '', model: null, tools: null, color: null }

/**
 * A companion is asked by its name: that can be read, and looks like no other. Throws `AppError`: 400, 409 `name_taken`.
 */
export async function checkOwnName(tx: Queryable, name: string, ownId: string | null): Promise<void> {
  if (name.length > maxCompanionName) throw invalid(`name: is longer than ${maxCompanionName} characters.`)
  if (!/[\p{L}\p{N}]/u.test(name)) throw invalid('name: has no letter and no digit.')
  const names = await createAgentsRepo(tx).listCompanionNames()
  const other = names.find((one) => one.id !== ownId && sameLook(one.name, name))
  if (other) throw conflict('name_taken', `There is already a companion called “${other.name}”.`)
}

const sameLook = (one: string, other: string) => visible(one) === visible(other)

const visible = (name: string) =>
  lookOf(name.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''))
    .split(/\s+/)
    .join(' ')

/** The first companion goes on with the conversations that another one has outside of `spaces` (`null`: with all). */
export async function handOver(tx: Queryable, id: string, spaces: readonly string[] | null): Promise<void> {
  const heir = await createAgentsRepo(tx).findBySlug(firstCompanion)
  if (heir) await createConversationsRepo(tx).handOver(id, heir.id, spaces)
}
