import { type Adapter, errors, Provider } from 'oidc-provider'
import type { Database } from '../../../db/pool.ts'
import { createOAuthRecordsRepo } from '../../../db/repos/agent_tokens.ts'
import { hashSecret } from '../../owner-token.ts'
import { isDocumentUrl } from '../client-document.ts'

export type StoreDeps = { database: Database; now: () => Date }

/**
 * Where the authorization server keeps one kind of its records: all in one table, so that any server on the database
 * goes on with what another began. Sessions are kept nowhere: each request to connect is decided by itself, by the owner
 * who is signed in to Void.
 */
export function createAdapter({ database, now }: StoreDeps, kind: string): Adapter {
  if (kind === 'Session') return forgetful
  const records = createOAuthRecordsRepo(database)
  // The ids of clients and grants are names; all others open something.
  const isSecret = kind !== 'Client' && kind !== 'Grant'
  const keyOf = (id: string) => (isSecret ? hashSecret(id) : id)

  return {
    ...forgetful,

    async upsert(id, { jti, ...payload }, expiresIn) {
      const grant_id = typeof payload.grantId === 'string' ? payload.grantId : null
      const expires_at = expiresIn ? new Date(now().getTime() + expiresIn * 1000) : null
      await records.upsert({ kind, id: keyOf(id), payload, grant_id, expires_at }, now())
    },

    async find(id) {
      if (kind === 'Client' && isDocumentUrl(id) && Provider.ctx?.oidc.route === 'authorization')
        // Its document is looked at anew; what is stored of it is for the requests that follow.
        return undefined
      const payload = await records.find(kind, keyOf(id), now())
      return payload ? (kind === 'Client' ? payload : { ...payload, jti: id }) : undefined
    },

    async consume(id) {
      if (await records.consume(kind, keyOf(id), now())) return
      // Of two requests that come at once, both have found it unused; the second ends the grant, as a later one would.
      const used = await records.find(kind, keyOf(id), now())
      if (typeof used?.grantId === 'string') await records.revokeGrant(used.grantId, now())
      throw new errors.InvalidGrant('already used')
    },

    async destroy(id) {
      if (kind === 'Grant') await records.revokeGrant(id, now())
      else await records.remove(kind, keyOf(id))
    },
  }
}

const nothing = async () => undefined

// What is revoked with a grant goes with the grant itself, in one statement: see `destroy`.
const forgetful: Adapter = {
  upsert: async () => {},
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
}
