import type { ToolResult } from '../../../lib/contract/sources.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { icon } from '../../ui/components/icon.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

/** Shows what a tool of a source answered, as it was stored, and makes a file of it on request. Never rejects. */
export async function showToolResult(app: App, id: string): Promise<void> {
  const path = `/api/tool-results/${encodeURIComponent(id)}`
  try {
    const { source_name, tool, text, cut, failed, kept_as } = await app.api.get<ToolResult>(path)
    const keep = el(
      'button',
      { class: 'button', type: 'button', id: 'keep-result', disabled: kept_as !== null, onclick: makeFile },
      icon('download'),
      kept_as === null ? 'Save as file' : 'Saved as file',
    )
    showDialog(
      { title: 'Source response', name: 'tool-result' },
      el('p', { class: 'dim' }, visible(`${source_name} › ${tool}`)),
      failed && el('p', { class: 'problem' }, 'The tool reported an error.'),
      el('blockquote', { class: 'tool-result', dir: 'auto', tabindex: 0 }, visible(text)),
      cut && el('p', { class: 'dim small' }, 'The response was truncated.'),
      el('div', { class: 'row' }, keep),
    )

    async function makeFile(): Promise<void> {
      try {
        await app.api.post(`${path}/keep`)
        keep.disabled = true
        keep.replaceChildren(icon('check'), 'Saved as file')
        app.toast('Saved as a file in this Space.')
      } catch (error) {
        app.toast(messageOf(error), { tone: 'problem' })
      }
    }
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}
