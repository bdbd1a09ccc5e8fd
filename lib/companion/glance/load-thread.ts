import type { Queryable } from '../../db/pool.ts'
import { createGlanceMailRepo } from '../../db/repos/glance_mail.ts'
import { createGlanceSettingsRepo } from '../../db/repos/glances.ts'
import { createMailAccountsRepo } from '../../db/repos/mail_accounts.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import type { JudgedThread } from './rules/judge-thread.ts'

/** Messages of a thread that are looked at, the latest, and characters of them. */
const maxMessages = 50
const maxText = 200_000

export type LoadedThread = JudgedThread & {
  title: string
  /** Names this state of it. */
  state: string
}

/** A thread by its id, or by that of one of its messages, with what its gates go by; `null` when it is not in the Space. */
export async function loadThread(db: Queryable, spaceId: string, id: string): Promise<LoadedThread | null> {
  const mail = createGlanceMailRepo(db)
  const thread = await mail.find(spaceId, id)
  if (!thread) return null
  const settings = createGlanceSettingsRepo(db)
  const [messages, own, alike, hasDraft, addresses, mutes] = await Promise.all([
    createMailMessagesRepo(db).listOfThread(thread.id, maxMessages, maxText),
    createMailAccountsRepo(db).ownAddresses(spaceId),
    mail.listAlike(spaceId, thread.base_subject),
    mail.hasDraft(spaceId, thread.id),
    mail.addressesOf(spaceId, thread.id, maxMessages),
    settings.listMutes(spaceId),
  ])
  return {
    ...thread,
    state: `${thread.id}:${thread.messages}:${thread.last_message_at}`,
    messages,
    own,
    alike,
    hasDraft,
    mutes,
    addressesByName: Map.groupBy(addresses, ({ name }) => name),
  }
}
