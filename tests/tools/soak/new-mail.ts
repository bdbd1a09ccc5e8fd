// Mail that comes in all the time, to a mailbox that whichever server holds the lease watches.

import { setTimeout as wait } from 'node:timers/promises'
import { makeMessage } from '../bench/made-mail.ts'
import { openMailbox } from '../bench/mail-servers.ts'

export type NewMail = {
  /** Puts a message on the server; how long until Void lists it, `null`: it had not after `patienceMs`. */
  arrive(patienceMs: number): Promise<number | null>
  close(): Promise<void>
}

/** A mailbox on the server that `TEST_IMAP` names, followed in the Space. `nextUrl`: any server of Void. */
export async function followNewMail(
  nextUrl: () => string,
  headers: Record<string, string>,
  spaceId: string,
): Promise<NewMail> {
  const mailbox = await openMailbox(0, () => {})
  const { username, ...address } = mailbox.address
  const answer = await fetch(`${nextUrl()}/api/spaces/${spaceId}/mail-accounts`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...address, address: username }),
  })
  if (!answer.ok) throw new Error(`the account was refused: ${await answer.text()}`)
  const stamp = Date.now()
  let arrived = 0

  return {
    async arrive(patienceMs) {
      arrived += 1
      const subject = `Arrival ${arrived} of ${stamp}`
      await mailbox.append(makeMessage(arrived, { alone: subject }))
      const began = performance.now()
      while (performance.now() - began < patienceMs) {
        if (await isListed(subject)) return performance.now() - began
        await wait(100)
      }
      return null
    },
    close: mailbox.close,
  }

  async function isListed(subject: string): Promise<boolean> {
    const list = `${nextUrl()}/api/spaces/${spaceId}/mail-threads?limit=5`
    const body = await fetch(list, { headers })
      .then(async (answer) => (await answer.json()) as { items?: { subject: string }[] })
      .catch(() => null)
    return body?.items?.some((thread) => thread.subject === subject) ?? false
  }
}
