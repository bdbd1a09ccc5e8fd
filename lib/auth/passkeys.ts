// Passkeys of the owner: the second factor of a browser, behind the owner token or a one-time code. A challenge is
// answered once, within five minutes, for what it was made for and by the session that asked. The database keeps it, so
// that any server on it may finish what another one began.

import {
  type NewPasskey,
  type Passkey,
  type PasskeyAnswer,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../contract/auth.ts'
import { conflict } from '../core/errors.ts'
import { isUniqueViolation } from '../db/pg-errors.ts'
import type { Database } from '../db/pool.ts'
import { type ChallengeUse, createPasskeysRepo, type PasskeyRow } from '../db/repos/owner_sessions.ts'
import {
  algorithms,
  type Challenges,
  challengeMs,
  createChallenges,
  descriptorOf,
  loadWebAuthn,
  type RelyingParty,
  rejected,
  relyingPartyOf,
  toPasskey,
  unavailable,
  verifyAnswer,
  verifyCreation,
} from './verify-passkey.ts'

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

type AddingPasskeys = {
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

function createAddingPasskeys({ passkeys, challenges, now }: AddingDeps): AddingPasskeys {
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
        throw conflict('passkey_exists', 'This passkey has already been added.')
      }
    },
  }
}

const tooMany = () => conflict('too_many_passkeys', `There are ${maxPasskeys} passkeys. Remove one first.`)

const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Browser and system by a `User-Agent` header, in words of ours alone; empty for one that names neither. */
export function deviceOf(userAgent: string | undefined): string {
  const agent = (userAgent ?? '').slice(0, 500)
  const nameIn = (known: typeof browsers | typeof systems) =>
    known.find(([, pattern]) => pattern.test(agent))?.[0] ?? ''
  return [nameIn(browsers), nameIn(systems)].filter(Boolean).join(' on ')
}
