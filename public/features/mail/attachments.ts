import type { MailAttachment, MailAttachmentText } from '../../../lib/contract/mail.ts'
import { type Api, messageOf } from '../../app/api/api.ts'
import { quoted } from '../../ui/components/quoted.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'

/** The attachments of a message: each can be downloaded, or read as text. The browser itself shows none. */
export function renderAttachments(
  { id, attachments }: { id: string; attachments: readonly MailAttachment[] },
  api: Pick<Api, 'get'>,
): HTMLElement {
  return el(
    'ul',
    { class: 'stack', 'aria-label': 'Attachments' },
    attachments.map(({ name, bytes }, index) => {
      const at = `/api/mail-messages/${id}/attachments/${index + 1}`
      return el(
        'li',
        { class: 'small' },
        el('a', { href: at, download: name, id: `attachment-${id}-${index + 1}` }, quoted(name, 120)),
        ` · ${sizeText(bytes)}`,
        renderText(`attachment-text-${id}-${index + 1}`, { path: `${at}/text`, name, api }),
      )
    }),
  )
}

type TextOptions = { path: string; name: string; api: Pick<Api, 'get'> }

function renderText(id: string, { path, name, api }: TextOptions): HTMLElement {
  const place = el('div', { 'aria-live': 'polite' })
  const load = async () => {
    if (place.hasChildNodes()) return
    place.replaceChildren(el('p', { class: 'dim' }, 'Reading…'))
    try {
      const { text, problem } = await api.get<MailAttachmentText>(path)
      place.replaceChildren(
        ...(problem === null ? [] : [el('p', { class: 'dim' }, visible(problem))]),
        ...(text === ''
          ? []
          : [
              el(
                'pre',
                { class: 'tool-result', tabindex: 0, 'aria-label': `Text of ${name}` },
                visible(text),
              ),
            ]),
      )
    } catch (error) {
      place.replaceChildren()
      place.append(el('p', { class: 'problem', role: 'alert' }, messageOf(error)))
    }
  }
  const details = el(
    'details',
    {
      id,
      ontoggle: () => {
        if (details.open) void load()
      },
    },
    el('summary', {}, 'Show text'),
    place,
  )
  return details
}

const sizeText = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
