import type { Deps } from '../../../lib/api/deps.ts'
import { parseMessages } from '../../../lib/outside/mail/message/parse-messages.ts'
import { storeMessages } from '../../../lib/outside/mail/store/store-messages.ts'

/** Stores a message in a Space, as one that nobody's server has. Resolves to its id. */
export async function deliver(
  { database, search }: Pick<Deps, 'database' | 'search'>,
  space_id: string,
  raw: string,
): Promise<string> {
  const [parsed] = await parseMessages({ messages: [Buffer.from(raw)] })
  const incoming = { parsed: parsed!, received_at: new Date(), whole: true, provider_thread: null }
  const stored = await database.transaction((tx) =>
    storeMessages(tx, search, { space_id, account_id: null, messages: [incoming] }),
  )
  return stored![0]!.id
}
