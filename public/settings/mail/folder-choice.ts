import type { MailAccount, MailTest } from '../../../lib/contract/mail.ts'
import { type Api, messageOf } from '../../app/api/api.ts'
import { isolated } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'

export type FolderChoice = {
  element: HTMLElement
  /** As the API takes them; empty where nothing was changed. */
  fields(): { folders?: string[] }
}

/** The folders of an account, to be ticked. They are asked of the server when they are opened. */
export function renderFolderChoice(account: MailAccount, api: Pick<Api, 'post'>): FolderChoice {
  const list = el('div', { class: 'stack', 'aria-live': 'polite' })
  const details = el(
    'details',
    {
      id: `mail-folders-${account.id}`,
      ontoggle: () => {
        if (details.open && !list.hasChildNodes()) void load()
      },
    },
    el('summary', {}, 'Folders that are read'),
    list,
  )
  return { element: details, fields }

  async function load(): Promise<void> {
    list.replaceChildren(el('p', { class: 'dim small' }, 'Asking the server…'))
    try {
      const result = await api.post<MailTest>(`/api/mail-accounts/${account.id}/test`)
      list.replaceChildren(
        ...(result.ok
          ? result.available.map((folder, index) => renderFolder(folder, index, result.folders))
          : [el('p', { class: 'problem', role: 'alert' }, isolated(result.error ?? '', 400))]),
      )
    } catch (error) {
      list.replaceChildren()
      list.append(el('p', { class: 'problem', role: 'alert' }, messageOf(error)))
    }
  }

  function renderFolder(folder: string, index: number, read: readonly string[]): HTMLElement {
    const id = `mail-folder-${account.id}-${index}`
    const isRead = read.includes(folder)
    const box = el('input', { type: 'checkbox', id, value: folder, checked: isRead })
    box.defaultChecked = isRead
    return el('label', { class: 'check-line', for: id }, box, isolated(folder, 120))
  }

  function fields(): { folders?: string[] } {
    const boxes = [...list.querySelectorAll<HTMLInputElement>('input')]
    const folders = boxes.filter(({ checked }) => checked).map(({ value }) => value)
    return boxes.some(({ checked, defaultChecked }) => checked !== defaultChecked) ? { folders } : {}
  }
}
