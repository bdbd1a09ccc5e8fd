import type { ChallengeUse, createPasskeysRepo } from '../db/repos/owner_sessions.ts'
import { hashSecret } from './secrets.ts'

export type Challenges = {
  store(challenge: string, use: ChallengeUse): Promise<void>
  /** Uses a challenge up; whether it waited for this. */
  take(challenge: string, use: ChallengeUse): Promise<boolean>
}

export type ChallengesDeps = {
  passkeys: ReturnType<typeof createPasskeysRepo>
  ownerToken: string
  now: () => Date
}

export const challengeMs = 5 * 60_000
/** Those of everybody who is signed in or has shown the first factor; a newer one takes the place of the oldest. */
const maxChallenges = 50

export function createChallenges({ passkeys, ownerToken, now }: ChallengesDeps): Challenges {
  const owner_token_hash = hashSecret(ownerToken)
  const waiting = (challenge: string, use: ChallengeUse) => ({
    challenge_hash: hashSecret(challenge),
    owner_token_hash,
    use,
    now: now(),
  })

  return {
    async store(challenge, use) {
      const expires_at = new Date(now().getTime() + challengeMs)
      await passkeys.insertChallenge({ ...waiting(challenge, use), expires_at }, maxChallenges)
    },

    take: (challenge, use) => passkeys.takeChallenge(waiting(challenge, use)),
  }
}
