import { type NewPasskey, type Passkey, PasskeyCreationOptions } from '../contract/passkey.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { createPasskeysRepo } from '../db/repos/owner_sessions.ts'
import { conflict } from '../errors.ts'
import { type Challenges, challengeMs } from './passkey-challenges.ts'
import { descriptorOf, toPasskey } from './passkey-row.ts'
import { relyingPartyOf } from './relying-party.ts'
import { verifyCreation } from './verify-passkey.ts'
import { algorithms, loadWebAuthn } from './web-authn.ts'

export type AddingPasskeys = {
  /** What the browser has its device make a passkey of. Throws a 409 `AppError` where none can be made. */
  offer(session_id: string, address: string): Promise<PasskeyCreationOptions>
  /** Throws as `offer`, and a 401 `AppError` unless it answers an offer to this session. */
  add(passkey: NewPasskey, session_id: string, address: string): Promise<Passkey>
}

type AddingDeps = {
  passkeys: ReturnType<typeof createPasskeysRepo>
  challenges: Challenges
  now: () => Date
}

const maxPasskeys = 10

export function createAddingPasskeys({ passkeys, challenges, now }: AddingDeps): AddingPasskeys {
  return {
    async offer(session_id, address) {
      const party = relyingPartyOf(address)
      const rows = await passkeys.list()
      if (rows.length >= maxPasskeys) throw tooMany()
      const { generateRegistrationOptions } = await loadWebAuthn()
      const options = await generateRegistrationOptions({
        rpName: 'Void',
        rpID: party.id,
        userName: 'owner',
        // The same each time, so that a device keeps one passkey for a host name.
        userID: new TextEncoder().encode('owner'),
        excludeCredentials: rows.map(descriptorOf),
        timeout: challengeMs,
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      })
      await challenges.store(options.challenge, { purpose: 'add', session_id })
      return PasskeyCreationOptions.parse(options)
    },

    async add({ name, credential }, session_id, address) {
      const party = relyingPartyOf(address)
      const takeChallenge = (challenge: string) => challenges.take(challenge, { purpose: 'add', session_id })
      const made = await verifyCreation(credential, { party, takeChallenge })
      try {
        const row = await passkeys.insert({ ...made, name, host: party.id, now: now() }, maxPasskeys)
        if (!row) throw tooMany()
        return toPasskey(row)
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw conflict('passkey_exists', 'This passkey was added before.')
      }
    },
  }
}

const tooMany = () =>
  conflict('too_many_passkeys', `There are ${maxPasskeys} passkeys. Remove one before you add another.`)
