// Passkeys of the owner: the second factor of a browser, behind the owner token or a one-time code. A challenge is
// answered once, within five minutes, for what it was made for and by the session that asked. The database keeps it, so
// that any server on it may finish what another one began.

import { type Passkey, type PasskeyAnswer, PasskeyRequestOptions } from '../contract/passkey.ts'
import type { Database } from '../db/pool.ts'
import { type ChallengeUse, createPasskeysRepo, type PasskeyRow } from '../db/repos/owner_sessions.ts'
import { type AddingPasskeys, createAddingPasskeys } from './add-passkey.ts'
import { challengeMs, createChallenges } from './passkey-challenges.ts'
import { descriptorOf, toPasskey } from './passkey-row.ts'
import { type RelyingParty, relyingPartyOf, unavailable } from './relying-party.ts'
import { rejected, verifyAnswer } from './verify-passkey.ts'
import { loadWebAuthn } from './web-authn.ts'

export type Passkeys = AddingPasskeys & {
  /** Oldest first. */
  list(): Promise<Passkey[]>
  /** Throws a 409 `AppError` when there are passkeys and none works at this address. */
  checkAddress(address: string): Promise<void>
  /** What the browser asks its device for; `null` when there is no passkey. Throws as `checkAddress`. */
  challenge(use: ChallengeUse, address: string): Promise<PasskeyRequestOptions | null>
  /** Throws a 401 `AppError` unless a passkey has answered a challenge for this use. */
  verify(answer: PasskeyAnswer, use: ChallengeUse, address: string): Promise<void>
  /** Whether there was one. */
  remove(id: string): Promise<boolean>
  /** How many there were. */
  removeAll(): Promise<number>
}

export type PasskeysDeps = { database: Database; ownerToken: string; now: () => Date }

export function createPasskeys({ database, ownerToken, now }: PasskeysDeps): Passkeys {
  const passkeys = createPasskeysRepo(database)
  const challenges = createChallenges({ passkeys, ownerToken, now })

  return {
    ...createAddingPasskeys({ passkeys, challenges, now }),
    list: async () => (await passkeys.list()).map(toPasskey),

    async checkAddress(address) {
      findUsable(await passkeys.list(), address)
    },

    async challenge(use, address) {
      const usable = findUsable(await passkeys.list(), address)
      if (!usable) return null
      const { generateAuthenticationOptions } = await loadWebAuthn()
      const options = await generateAuthenticationOptions({
        rpID: usable.party.id,
        allowCredentials: usable.rows.map(descriptorOf),
        timeout: challengeMs,
        // The token was the first factor: a device that cannot check who holds it may be the second.
        userVerification: 'preferred',
      })
      await challenges.store(options.challenge, use)
      return PasskeyRequestOptions.parse(options)
    },

    async verify(answer, use, address) {
      const party = relyingPartyOf(address)
      const row = (await passkeys.list()).find(({ credential_id }) => credential_id === answer.id) ?? null
      const takeChallenge = (challenge: string) => challenges.take(challenge, use)
      const counter = await verifyAnswer(answer, { party, row, takeChallenge })
      if (row && (await passkeys.noteUse(row.id, counter, now()))) return
      throw rejected(
        'passkey_cloned',
        'The counter of this passkey did not go up, so it may have been copied. Use another one, and remove this one.',
      )
    },

    remove: passkeys.remove,
    removeAll: passkeys.removeAll,
  }
}

/** The passkeys that work at an address; `null` when there are none at all. */
function findUsable(
  rows: readonly PasskeyRow[],
  address: string,
): { party: RelyingParty; rows: PasskeyRow[] } | null {
  if (rows.length === 0) return null
  const hostname = URL.canParse(address) ? new URL(address).hostname : ''
  const usable = rows.filter(({ host }) => host === hostname)
  if (usable.length > 0) return { party: relyingPartyOf(address), rows: usable }
  const hosts = [...new Set(rows.map(({ host }) => host))].join(' or ')
  throw unavailable(`Your passkeys work at ${hosts}. Open Void there; a sign-in link works there, too.`)
}
