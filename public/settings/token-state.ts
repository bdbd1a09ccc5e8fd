export type Agent = {
  id: string
  slug: string
  name: string
  kind: 'companion' | 'external'
  capabilities: { read: boolean; suggest: boolean; write: boolean }
  scopes: { spaces: string[] | null }
}

export type Token = {
  id: string
  agent_id: string
  name: string
  /** The last characters. */
  hint: string
  spaces: string[] | null
  tier: 'read' | 'suggest'
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

/** How a token stands, in a word. */
export function tokenState({ revoked_at, expires_at }: Token, now: Date): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'active'
}
