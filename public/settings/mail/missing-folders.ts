import type { MailAccount, MissingFolder } from '../../../lib/contract/mail.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { quoted } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { createToastChange } from '../parts/section.ts'

/** Folders of an account that are no longer on its server, each with what can be done about it. */
export const renderMissingFolders = (account: MailAccount, context: ViewContext): Child =>
  account.missing_folders.map((folder, index) => renderMissing(account, { folder, index }, context))

function renderMissing(
  { id, folders }: MailAccount,
  { folder, index }: { folder: MissingFolder; index: number },
  context: ViewContext,
): HTMLElement {
  const { path, messages, proposed } = folder
  const change = createToastChange(context)
  const decide = (decision: object, done: string) =>
    change(
      () => context.app.api.post(`/api/mail-accounts/${id}/missing-folders`, { path, ...decision }),
      done,
    )
  const button = (label: Child, name: string, decision: object, done: string) =>
    el(
      'button',
      {
        class: 'button button-small',
        type: 'button',
        id: `folder-${name}-${id}-${index}`,
        onclick: () => decide(decision, done),
      },
      label,
    )
  // The only chosen folder stays chosen until another one is.
  const isOnly = messages === 0 && folders?.length === 1
  return el(
    'div',
    { class: 'setting', role: 'group', 'aria-label': `Missing folder ${path}` },
    el('div', { class: 'setting-name' }, el('span', { class: 'field-label' }, 'Missing folder')),
    el(
      'div',
      { class: 'setting-value' },
      el('p', { class: 'problem' }, ...describe(folder)),
      proposed !== null &&
        button(
          ['Read ', quoted(proposed, 120), ' instead'],
          'replace',
          { action: 'replace', folder: proposed },
          `Reading ${quoteShown(proposed)} instead.`,
        ),
      !isOnly && button(messages > 0 ? 'Keep its mail' : 'Dismiss', 'keep', { action: 'keep' }, 'Saved.'),
      messages > 0 &&
        renderArmedButton({
          label: 'Remove its mail',
          name: path,
          id: `folder-delete-${id}-${index}`,
          press: () => void decide({ action: 'delete' }, 'Removed.'),
        }),
    ),
  )
}

function describe({ path, messages, proposed }: MissingFolder): Child[] {
  const count = messages === 1 ? 'Its message is kept.' : `Its ${messages} messages are kept.`
  return [
    'The folder ',
    quoted(path, 120),
    ' is no longer on the server. ',
    messages > 0 && count,
    proposed !== null && [' ', quoted(proposed, 120), ' has the same messages.'],
  ]
}
