import type { AgentToken } from '../../../lib/contract/agents.ts'

export function tokenState(
  { revoked_at, expires_at }: AgentToken,
  now: Date,
): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'active'
}
