// Messages as programs send them.

export type MailDraft = {
  from?: string
  to?: string
  subject?: string
  date?: string
  id?: string | null
  references?: string[]
  inReplyTo?: string
  body?: string
  headers?: string[]
}

let made = 0

/** A message with lines that end as on the wire. */
export function writeMail(draft: MailDraft = {}): string {
  made += 1
  const {
    from = 'Anna Berg <anna@example.org>',
    to = 'Keeper <keeper@skerry.example>',
    id = `<m${made}@example.org>`,
  } = draft
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${draft.subject ?? `Message ${made}`}`,
    `Date: ${draft.date ?? 'Fri, 20 Nov 2026 10:00:00 +0000'}`,
    ...(id === null ? [] : [`Message-ID: ${id}`]),
    ...(draft.references ? [`References: ${draft.references.join(' ')}`] : []),
    ...(draft.inReplyTo ? [`In-Reply-To: ${draft.inReplyTo}`] : []),
    ...(draft.headers ?? ['Content-Type: text/plain; charset=utf-8']),
    '',
    draft.body ?? 'The boat comes on Thursday.',
  ]
  return lines.join('\n').replace(/\r?\n/g, '\r\n')
}
