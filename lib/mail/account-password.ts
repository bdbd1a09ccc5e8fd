// The password of an account, or its refresh token, and the secret of its client: secrets of their own, or such that the
// owner had before, which stay when the account goes.

import { secretReference } from '../ai/secret.ts'
import type { MailAccountRow } from '../db/repos/mail_accounts.ts'
import { AppError } from '../errors.ts'
import type { MailAccountChange, SecretReferences } from './account-settings.ts'

export type PasswordStore = {
  put(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
  resolve(spec: string): Promise<string | null>
}

type Given = Pick<MailAccountChange, 'password' | 'oauth'>

/** What an account stores for what it was given, or has stored already. */
export function referencesOf(id: string, given: Given, stored: MailAccountRow | null): SecretReferences {
  const client_secret = given.oauth?.client_secret
  return {
    password: given.password ? referenceOf(id, given.password) : (stored?.password ?? ''),
    client_secret: client_secret
      ? referenceOf(clientOf(id), client_secret)
      : (stored?.oauth?.client_secret ?? null),
  }
}

export async function storeSecrets(secrets: PasswordStore, id: string, given: Given): Promise<void> {
  if (given.password) await storePassword(secrets, id, given.password)
  const client_secret = given.oauth?.client_secret
  if (client_secret) await storePassword(secrets, clientOf(id), client_secret)
}

export async function forgetSecrets(
  secrets: PasswordStore,
  id: string,
  { password, client_secret }: SecretReferences,
): Promise<void> {
  await forgetPassword(secrets, id, password)
  if (client_secret) await forgetPassword(secrets, clientOf(id), client_secret)
}

/** The secret of its client has a name of its own. */
const clientOf = (id: string): string => `${id}-client`

const nameOf = (id: string): string => `mail-${id}`

/** What an account stores for a password: never the password. */
const referenceOf = (id: string, password: string): string =>
  secretReference.test(password) ? password : `secret:${nameOf(id)}`

async function storePassword(secrets: PasswordStore, id: string, password: string): Promise<void> {
  if (!secretReference.test(password)) await secrets.put(nameOf(id), password)
}

async function forgetPassword(secrets: PasswordStore, id: string, reference: string): Promise<void> {
  if (reference !== `secret:${nameOf(id)}`) return
  await secrets.remove(nameOf(id)).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 404) throw error
  })
}
