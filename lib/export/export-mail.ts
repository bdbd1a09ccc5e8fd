// The messages of a Space as they came, one file each. Where each lay and how it was marked stands in the manifest.

import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { Queryable } from '../db/pool.ts'
import { createMailMessagesRepo } from '../db/repos/mail_messages.ts'
import { maxFileBytes } from '../vault/file-size.ts'
import type { VaultPlan } from './plan-vault.ts'

const inflateAsync = promisify(inflate)

/** One message at a time. */
export async function* exportMail(
  database: Queryable,
  { mail }: Pick<VaultPlan, 'mail'>,
): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  const messages = createMailMessagesRepo(database)
  for (const { id, path } of mail) {
    const found = await messages.findOriginal(id)
    if (found) yield { path, bytes: await inflateAsync(found.bytes, { maxOutputLength: maxFileBytes }) }
  }
}
