// The password of an account: a secret of its own, or one that the owner had before, which stays when the account goes.

import { secretReference } from '../ai/secret.ts'
import { AppError } from '../errors.ts'

export type PasswordStore = {
  put(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
  resolve(spec: string): Promise<string | null>
}

const nameOf = (id: string): string => `mail-${id}`

/** What an account stores for a password: never the password. */
export const referenceOf = (id: string, password: string): string =>
  secretReference.test(password) ? password : `secret:${nameOf(id)}`

export async function storePassword(secrets: PasswordStore, id: string, password: string): Promise<void> {
  if (!secretReference.test(password)) await secrets.put(nameOf(id), password)
}

export async function forgetPassword(secrets: PasswordStore, id: string, reference: string): Promise<void> {
  if (reference !== `secret:${nameOf(id)}`) return
  await secrets.remove(nameOf(id)).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 404) throw error
  })
}
