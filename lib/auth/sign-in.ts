// Signing a browser in: by the owner token or a one-time code, and by a passkey where there is one.

import type { PasskeyAnswer, SecretOrPasskey } from '../contract/auth.ts'
import { AppError, unauthorized } from '../core/errors.ts'
import type { createOwnerSessionsRepo } from '../db/repos/owner_sessions.ts'
import { hashSecret, isSameSecret, newSecret } from './owner-token.ts'
import type { Passkeys } from './passkeys.ts'

export type SignIn = {
  /**
   * A session for the owner token or a one-time code, which is used up; throws a 401 `AppError` for anything else. With a
   * passkey to confirm it throws a 403 `AppError` instead, whose `details.passkey` is what to ask the device for.
   */
  openSession(secret: string, browser?: Browser): Promise<OpenedSession>
  /** A session for the answer to that; throws a 401 `AppError` for anything else. */
  openConfirmedSession(passkey: PasskeyAnswer, browser: Browser): Promise<OpenedSession>
  /** A code that opens one session within ten minutes, in place of the owner token. */
  createSignInCode(): Promise<{ code: string; expires_at: string }>
  /** Whether a session was opened or confirmed in the last fifteen minutes. */
  isConfirmed(id: string): Promise<boolean>
  /** Confirms a session by a passkey; where there is none, by the owner token or a code. Throws a 401 `AppError`. */
  confirmSession(id: string, by: SecretOrPasskey, address: string): Promise<void>
}

/** Who signs in: the device by its own words, and the address that it knows this server by. */
export type Browser = { device: string; address: string }

export type OpenedSession = { session: string; maxAgeMs: number }

export type SignInDeps = {
  sessions: ReturnType<typeof createOwnerSessionsRepo>
  passkeys: Passkeys
  ownerToken: string
  now: () => Date
}

const sessionMs = 30 * 24 * 60 * 60_000
const codeMs = 10 * 60_000
const confirmedMs = 15 * 60_000

export function createSignIn({ sessions, passkeys, ownerToken, now }: SignInDeps): SignIn {
  const owner_token_hash = hashSecret(ownerToken)
  const after = (ms: number) => new Date(now().getTime() + ms)

  return {
    async openSession(secret, browser = { device: '', address: '' }) {
      // Before the secret, which may be a code and would be used up.
      await passkeys.checkAddress(browser.address)
      await redeem(secret)
      const passkey = await passkeys.challenge({ purpose: 'sign_in' }, browser.address)
      if (!passkey) return await open(browser)
      throw new AppError('passkey_required', 403, 'Confirm with your passkey.', { details: { passkey } })
    },

    async openConfirmedSession(passkey, browser) {
      await passkeys.verify(passkey, { purpose: 'sign_in' }, browser.address)
      return await open(browser)
    },

    async createSignInCode() {
      const code = newSecret('code')
      const expires_at = after(codeMs)
      await sessions.insertCode({ code_hash: hashSecret(code), owner_token_hash, expires_at, now: now() })
      return { code, expires_at: expires_at.toISOString() }
    },

    isConfirmed: (id) => sessions.isConfirmed(id, after(-confirmedMs)),

    async confirmSession(id, by, address) {
      if ('passkey' in by) await passkeys.verify(by.passkey, { purpose: 'confirm', session_id: id }, address)
      else if ((await passkeys.list()).length === 0) await redeem(by.token)
      else throw unauthorized('Confirm with your passkey.')
      await sessions.confirm(id, now())
    },
  }

  async function redeem(secret: string): Promise<void> {
    const known =
      isSameSecret(secret, ownerToken) ||
      (await sessions.useCode(hashSecret(secret), owner_token_hash, now()))
    if (!known) throw unauthorized('This is not the owner token or a valid code.')
  }

  async function open({ device }: Browser): Promise<OpenedSession> {
    const session = newSecret('session')
    const expires_at = after(sessionMs)
    const token_hash = hashSecret(session)
    await sessions.insert({ token_hash, owner_token_hash, device, expires_at, now: now() })
    return { session, maxAgeMs: sessionMs }
  }
}
